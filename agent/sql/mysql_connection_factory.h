// Makes connections of the client library to one target.
//
//   MySqlConnectionFactory factory(std::move(target));
//   std::unique_ptr<SqlConnection> connection = factory.MakeBlocking();
#ifndef DSLAP_AGENT_SQL_MYSQL_CONNECTION_FACTORY_H_
#define DSLAP_AGENT_SQL_MYSQL_CONNECTION_FACTORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "agent/sql/deadline_watch.h"
#include "agent/sql/mysql_connection.h"
#include "agent/sql/mysql_loop_connection.h"
#include "agent/sql/server_pin.h"
#include "agent/sql/sql_connection.h"

namespace dslap {

// One for a run: all its connections go to the same address. Thread-safe. Connections may outlive
// it: they share the target.
class MySqlConnectionFactory final : public SqlConnectionFactory {
 public:
  explicit MySqlConnectionFactory(SqlTarget target)
      : target_(std::make_shared<const SqlTarget>(std::move(target))) {}

  absl::Status Check() override;
  std::unique_ptr<SqlConnection> MakeBlocking() override {
    return std::make_unique<MySqlConnection>(target_, watch_, pin_);
  }
  std::unique_ptr<SqlConnection> MakeOnLoop(EventLoop* loop) override;
  uint64_t SetUpStatements() const override { return target_->sql_mode.has_value() ? 1 : 0; }

  // Whether MakeOnLoop() makes any, with the client library of this build.
  static bool HasLoops();

 private:
  const std::shared_ptr<const SqlTarget> target_;
  const std::shared_ptr<DeadlineWatch> watch_ = std::make_shared<DeadlineWatch>();
  const std::shared_ptr<ServerPin> pin_ = std::make_shared<ServerPin>();
  const std::shared_ptr<LoopConnectionAids> aids_ =
      std::make_shared<LoopConnectionAids>(watch_, pin_);
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SQL_MYSQL_CONNECTION_FACTORY_H_
