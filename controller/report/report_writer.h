// Decides which reports go where, opens their files before the run, and writes them after it.
//
//   ASSIGN_OR_RETURN(auto writer, ReportWriter::Open(options, &std::cout));
//   ... the run ...
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

#include <memory>
#include <optional>
#include <ostream>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "controller/options.h"
#include "controller/report/output_file.h"
#include "controller/report/reporter.h"
#include "controller/report/run_message.h"
#include "controller/report/text_reporter.h"

namespace dslap {

// Not thread-safe.
class ReportWriter {
 public:
  // `out` is standard output and must outlive the writer. INVALID_ARGUMENT when two reports would
  // share one place; else what the file system said.
  static absl::StatusOr<std::unique_ptr<ReportWriter>> Open(const Options& options,
                                                            std::ostream* out);

  // Once. Every output is tried, whatever happened to the one before; the first failure is
  // returned.
  absl::Status Write(const RunReport& report);

  // What standard error has to say besides.
  MessageStyle message_style() const;

 private:
  explicit ReportWriter(std::ostream* out) : out_(out) {}
  absl::Status WriteTo(Reporter& reporter, const RunReport& report,
                       std::optional<OutputFile>* file);

  std::ostream* out_;
  bool silent_ = false;
  std::optional<TextReporter::Style> text_;
  bool csv_ = false;
  bool json_ = false;
  std::optional<OutputFile> csv_file_;
  std::optional<OutputFile> json_file_;
};

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_REPORT_REPORT_WRITER_H_
