#include "tests/support/sql_probe.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "agent/sql/mysql_connection.h"
#include "agent/sql/sql_target.h"

namespace dslap {
namespace {

constexpr absl::Duration kLookEvery = absl::Milliseconds(20);

class FirstField final : public SqlRowSink {
 public:
  bool OnRow(SqlRow row) override {
    if (!value_.has_value() && !row.empty()) value_ = row[0].value_or("NULL");
    return true;
  }
  std::string value() const { return value_.value_or(""); }

 private:
  std::optional<std::string> value_;
};

}  // namespace

SqlProbe::SqlProbe(const std::string& socket) {
  auto target = std::make_shared<SqlTarget>();
  target->socket = socket;
  target->user = "root";
  target->transport = SqlTransport::kSocket;
  connection_ = std::make_unique<MySqlConnection>(std::move(target));
}

std::string SqlProbe::Value(const std::string& sql) {
  SqlOutcome outcome;
  if (!connection_->connected()) {
    outcome = RunBlocking(*connection_, {SqlOperation::Kind::kConnect, "", nullptr});
  }
  FirstField field;
  if (outcome.ok()) {
    outcome = RunBlocking(*connection_, {SqlOperation::Kind::kQuery, sql, &field});
  }
  return outcome.ok() ? field.value() : absl::StrCat("error: ", outcome.error.ToString());
}

bool SqlProbe::WaitFor(const std::string& sql, const std::string& expected,
                       absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  while (Value(sql) != expected) {
    if (absl::Now() >= deadline) return false;
    absl::SleepFor(kLookEvery);
  }
  return true;
}

}  // namespace dslap
