// Decides which reports go where, opens their files before the run, and writes text and CSV case by
// case, so that who watches a long run sees what is done, and a crash costs only the rest.
//
//   ASSIGN_OR_RETURN(auto writer, ReportWriter::Open(options, &std::cout));
//   ... the run, and whenever a case has finished: writer->WriteCases(so_far);
//   absl::Status written = writer->Write(report);
//   std::cerr << RunMessage(report, writer->message_style());
//
//   options          standard output          files
//   (none)           text, dslap's lines
//   --classic        text, mysqlslap's
//   --silent         no text
//   --csv            CSV, no text
//   --csv=FILE       no text, as mysqlslap     CSV appended
//   --json           JSON, no text
//   --json=FILE      text                      JSON, replaces the file
#ifndef DSLAP_CONTROLLER_REPORT_REPORT_WRITER_H_
#define DSLAP_CONTROLLER_REPORT_REPORT_WRITER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "controller/options.h"
#include "controller/report/output_file.h"
#include "controller/report/reporter.h"
#include "controller/report/run_message.h"

namespace dslap {

// Not thread-safe.
class ReportWriter {
 public:
  // `out` is standard output and must outlive the writer. That --csv and --json name different
  // places has been seen to by the command line. The error is what the file system said.
  static absl::StatusOr<std::unique_ptr<ReportWriter>> Open(const Options& options,
                                                            std::ostream* out);

  // The cases of `so_far` that were not written yet. What fails is told by Write().
  void WriteCases(const RunReport& so_far);

  // Once, as the last call: what is missing. Every output is tried, whatever happened to the one
  // before; the first failure is returned.
  absl::Status Write(const RunReport& report);

  // What standard error has to say besides.
  const MessageStyle& message_style() const { return style_; }

 private:
  // A reporter and where it writes.
  struct Output {
    std::unique_ptr<Reporter> reporter;
    std::optional<OutputFile> file;  // absent: standard output
  };

  explicit ReportWriter(std::ostream* out) : out_(out) {}
  absl::Status Add(std::unique_ptr<Reporter> reporter, const std::string& path,
                   OutputFile::Mode mode);
  void Put(const std::string& text, Output* output);

  std::ostream* out_;
  MessageStyle style_;
  std::vector<Output> outputs_;
  size_t cases_written_ = 0;
  absl::Status status_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_REPORT_WRITER_H_
