#include "controller/report/report_writer.h"

#include <cerrno>
#include <sstream>
#include <string>
#include <utility>

#include "common/status_util.h"
#include "controller/report/csv_reporter.h"
#include "controller/report/json_reporter.h"
#include "controller/report/text_reporter.h"

namespace dslap {

absl::StatusOr<std::unique_ptr<ReportWriter>> ReportWriter::Open(const Options& options,
                                                                 std::ostream* out) {
  auto writer = std::unique_ptr<ReportWriter>(new ReportWriter(out));
  const bool csv = options.csv_file.has_value();
  const bool json = options.json_file.has_value();
  const bool json_to_stdout = json && options.json_file->empty();
  const bool text = !options.silent && !csv && !json_to_stdout;
  writer->style_ = {text && !options.classic, options.silent};
  if (text) {
    const auto style = options.classic ? TextReporter::Style::kClassic : TextReporter::Style::kFull;
    RETURN_IF_ERROR(
        writer->Add(std::make_unique<TextReporter>(style), "", OutputFile::Mode::kAppend));
  }
  if (csv) {
    RETURN_IF_ERROR(
        writer->Add(std::make_unique<CsvReporter>(), *options.csv_file, OutputFile::Mode::kAppend));
  }
  if (json) {
    RETURN_IF_ERROR(writer->Add(std::make_unique<JsonReporter>(), *options.json_file,
                                OutputFile::Mode::kReplace));
  }
  return writer;
}

// An empty path is standard output.
absl::Status ReportWriter::Add(std::unique_ptr<Reporter> reporter, const std::string& path,
                               OutputFile::Mode mode) {
  Output output;
  output.reporter = std::move(reporter);
  if (!path.empty()) {
    ASSIGN_OR_RETURN(output.file, OutputFile::Open(path, mode));
  }
  outputs_.push_back(std::move(output));
  return absl::OkStatus();
}

void ReportWriter::WriteCases(const RunReport& so_far) {
  for (; cases_written_ < so_far.cases.size(); ++cases_written_) {
    for (Output& output : outputs_) {
      std::ostringstream text;
      output.reporter->WriteCase(so_far, so_far.cases[cases_written_], text);
      Put(text.str(), &output);
    }
  }
}

absl::Status ReportWriter::Write(const RunReport& report) {
  WriteCases(report);
  for (Output& output : outputs_) {
    std::ostringstream text;
    output.reporter->WriteEnd(report, text);
    Put(text.str(), &output);
    if (output.file.has_value()) status_.Update(output.file->Close());
  }
  return status_;
}

void ReportWriter::Put(const std::string& text, Output* output) {
  if (text.empty()) return;
  if (output->file.has_value()) {
    status_.Update(output->file->Write(text));
    return;
  }
  errno = 0;
  *out_ << text << std::flush;
  if (out_->good()) return;
  status_.Update(
      ErrnoToStatus(errno == 0 ? EIO : errno, "cannot write the report to standard output"));
}

}  // namespace dslap
