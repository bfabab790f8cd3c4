#include "controller/report/report_writer.h"

#include <cerrno>
#include <sstream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_util.h"
#include "controller/report/csv_reporter.h"
#include "controller/report/json_reporter.h"

namespace dslap {
namespace {

absl::Status CheckPlaces(const Options& options) {
  if (!options.csv_file.has_value() || options.csv_file != options.json_file) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--csv and --json would both be written to ",
                   options.csv_file->empty() ? "standard output" : *options.csv_file,
                   ": give one of them a file of its own"));
}

// Opens the file that `place` names, if it names one.
absl::Status OpenFile(const std::optional<std::string>& place, OutputFile::Mode mode,
                      std::optional<OutputFile>* file) {
  if (!place.has_value() || place->empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(*file, OutputFile::Open(*place, mode));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<ReportWriter>> ReportWriter::Open(const Options& options,
                                                                 std::ostream* out) {
  RETURN_IF_ERROR(CheckPlaces(options));
  auto writer = std::unique_ptr<ReportWriter>(new ReportWriter(out));
  writer->silent_ = options.silent;
  writer->csv_ = options.csv_file.has_value();
  writer->json_ = options.json_file.has_value();
  const bool json_to_stdout = writer->json_ && options.json_file->empty();
  if (!options.silent && !writer->csv_ && !json_to_stdout) {
    writer->text_ = options.classic ? TextReporter::Style::kClassic : TextReporter::Style::kFull;
  }
  RETURN_IF_ERROR(OpenFile(options.csv_file, OutputFile::Mode::kAppend, &writer->csv_file_));
  RETURN_IF_ERROR(OpenFile(options.json_file, OutputFile::Mode::kReplace, &writer->json_file_));
  return writer;
}

absl::Status ReportWriter::Write(const RunReport& report) {
  absl::Status status;
  std::optional<OutputFile> standard_output;
  if (text_.has_value()) {
    TextReporter text(*text_);
    status.Update(WriteTo(text, report, &standard_output));
  }
  if (csv_) {
    CsvReporter csv;
    status.Update(WriteTo(csv, report, &csv_file_));
  }
  if (json_) {
    JsonReporter json;
    status.Update(WriteTo(json, report, &json_file_));
  }
  return status;
}

absl::Status ReportWriter::WriteTo(Reporter& reporter, const RunReport& report,
                                   std::optional<OutputFile>* file) {
  // One string and one write: what two programs append to one file does not mix.
  std::ostringstream text;
  reporter.Write(report, text);
  if (file->has_value()) return (*file)->WriteAndClose(text.str());
  errno = 0;
  *out_ << text.str() << std::flush;
  if (out_->good()) return absl::OkStatus();
  return ErrnoToStatus(errno == 0 ? EIO : errno, "cannot write the report to standard output");
}

MessageStyle ReportWriter::message_style() const {
  return {text_ == TextReporter::Style::kFull, silent_};
}

}  // namespace dslap
