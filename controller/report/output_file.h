// A file that a report goes to, opened before the run so that a mistyped path is found before hours
// are spent, and written as its parts are known.
//
//   ASSIGN_OR_RETURN(OutputFile file, OutputFile::Open("out.csv", OutputFile::Mode::kAppend));
//   ...
//   RETURN_IF_ERROR(file.Write(text));
//   RETURN_IF_ERROR(file.Close());
#ifndef DSLAP_CONTROLLER_REPORT_OUTPUT_FILE_H_
#define DSLAP_CONTROLLER_REPORT_OUTPUT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace dslap {

// Owns the descriptor. Not thread-safe.
class OutputFile {
 public:
  enum class Mode {
    kAppend,   // what is there stays
    kReplace,  // what is there stays until the first Write()
  };

  // Creates the file if it does not exist. The error names the path and the reason.
  static absl::StatusOr<OutputFile> Open(const std::string& path, Mode mode);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  // In one go, where the system does: what two programs append does not mix. When it fails, nothing
  // of the text may have been written, or a part.
  absl::Status Write(absl::string_view text);
  // Once, as the last call.
  absl::Status Close();

 private:
  OutputFile(int fd, std::string path, Mode mode);
  absl::Status Failure(int error_number) const;

  int fd_;
  std::string path_;
  Mode mode_;
  bool written_ = false;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_OUTPUT_FILE_H_
