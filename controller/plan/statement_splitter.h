// Cuts SQL text into statements. Pure: it looks at the text only and copies nothing, so a file of
// hundreds of megabytes costs no memory beyond itself, and it passes over every byte once.
//
//   StatementSplitter splitter(text, ";");
//   while (std::optional<std::string_view> statement = splitter.Next()) Use(*statement);
//   RETURN_IF_ERROR(splitter.status());
//
// The rules:
// - The whole delimiter ends a statement, wherever it stands outside of quotes and comments. The
//   default of the command line is the line end: then each line is a statement, but a string or a
//   /* comment */ may go on over several. An empty delimiter is never found.
// - Quotes are '...' and "..." (doubled or after a backslash a quote stands for itself) and `...`
//   (doubled only). The server's NO_BACKSLASH_ESCAPES mode and character sets in which a backslash
//   can be a character's second byte (GBK, SJIS) are not known here.
// - Comments are "-- " and "#" up to the line end, and /* ... */. Inside /*! ... */ and /*M! ... */
//   is code that some server executes: such a comment is a statement's text, its quotes and
//   comments count, and it is not cut.
// - What holds only white space and comments is passed over. All else is given as it is written,
//   comments and optimizer hints included, except for one white-space character (or one CR LF)
//   after a delimiter, as mysqlslap does.
// - CR LF counts as the line end that the delimiter "\n" means. A byte order mark at the beginning
//   of the text is dropped. NUL and bytes above 127 are like letters.
// - "DELIMITER x" on a line of its own, where a statement could begin, makes x the delimiter of
//   what follows, so that stored programs can be given.
// - A quote or comment that is never closed is an error that names the line where it opens: what
//   follows would be one statement that the server refuses again and again.
#ifndef DSLAP_CONTROLLER_PLAN_STATEMENT_SPLITTER_H_
#define DSLAP_CONTROLLER_PLAN_STATEMENT_SPLITTER_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace dslap {

// Not thread-safe. Text and delimiter must outlive the splitter, the text also its statements.
class StatementSplitter {
 public:
  StatementSplitter(std::string_view text, std::string_view delimiter);

  // The next statement, a part of the text. Nothing at the end and after an error.
  std::optional<std::string_view> Next();

  // INVALID_ARGUMENT, "line 7: ...", after Next() met an error.
  const absl::Status& status() const { return status_; }

 private:
  static constexpr size_t kNotFound = std::string_view::npos;

  // Length of the delimiter that stands at `at`, or 0.
  size_t DelimiterAt(size_t at) const;
  bool LineCommentAt(size_t at) const;
  // Length of the opening "/*!" or "/*M!" at `at`, or 0.
  size_t ExecutableCommentAt(size_t at) const;
  bool DelimiterLineAt(size_t at) const;

  // Each takes where its thing opens and returns the position after it; kNotFound after Fail().
  size_t SkipQuoted(size_t at);
  size_t SkipBlockComment(size_t at);
  size_t SkipExecutableComment(size_t at);
  size_t SkipLineComment(size_t at) const;
  size_t SkipDelimiterLine(size_t at);
  // A quote or comment of any kind that opens at `at`; `at` itself when nothing does. Sets
  // `content` when it is more than a comment.
  size_t SkipQuoteOrComment(size_t at, bool* content);

  void SkipOneSpace();
  size_t Fail(size_t at, std::string_view what);

  std::string_view text_;
  std::string_view delimiter_;
  size_t position_ = 0;
  absl::Status status_;
};

// All statements at once.
absl::StatusOr<std::vector<std::string_view>> SplitStatements(std::string_view text,
                                                              std::string_view delimiter);

}  // namespace dslap

#endif  // DSLAP_CONTROLLER_PLAN_STATEMENT_SPLITTER_H_
