// Option files with all that they include, into one list of entries in the order in which they
// count (the last one wins). Reads through the seam of option_file_access.h.
//
//   OptionFileLoader loader(access, home, &warnings);
//   RETURN_IF_ERROR(loader.LoadIfThere("/etc/my.cnf"));
//   RETURN_IF_ERROR(loader.LoadRequired("bench.cnf", "--defaults-extra-file"));
//   std::vector<OptionFileEntry> entries = loader.TakeEntries();
//
// As MySQL's programs do: a file that everybody may write is passed over with a warning; includes
// nest ten deep; !includedir reads the names that end in ".cnf", sorted by their bytes; a relative
// name counts from the working directory; "~/" is the home directory.
#ifndef DSLAP_CONTROLLER_CLI_OPTION_FILE_LOADER_H_
#define DSLAP_CONTROLLER_CLI_OPTION_FILE_LOADER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "controller/cli/option_file.h"
#include "controller/cli/option_file_access.h"

namespace dslap {

// `access` and `warnings` must outlive it. Not thread-safe. After a failure, INVALID_ARGUMENT with
// the complete message, it is of no more use.
class OptionFileLoader {
 public:
  // `home`: the home directory; empty when there is none.
  OptionFileLoader(const OptionFileAccess& access, std::string home,
                   std::vector<std::string>* warnings);
  OptionFileLoader(const OptionFileLoader&) = delete;
  OptionFileLoader& operator=(const OptionFileLoader&) = delete;

  // A file that is missing is nothing to speak of; one that cannot be read is a warning.
  absl::Status LoadIfThere(const std::string& path);
  // `asked_by`: the option that names the file.
  absl::Status LoadRequired(const std::string& path, absl::string_view asked_by);

  std::vector<OptionFileEntry> TakeEntries();

 private:
  // Nothing when the file is to be passed over. A failure names `path`.
  absl::StatusOr<std::optional<std::string>> ReadText(const std::string& path);
  absl::Status Add(const std::string& path, std::optional<std::string> text, int depth);
  absl::Status Include(const OptionFileInclude& include, const std::string& from, int depth);
  // Passed over with a warning when it cannot be read. `where`: "FILE:LINE: ".
  absl::Status IncludeFile(const std::string& path, const std::string& where, int depth);
  absl::Status IncludeDirectory(const std::string& path, const std::string& where, int depth);
  std::string InHome(const std::string& path) const;

  const OptionFileAccess& access_;
  const std::string home_;
  std::vector<std::string>* const warnings_;
  std::vector<OptionFileEntry> entries_;
  int files_read_ = 0;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_CLI_OPTION_FILE_LOADER_H_
