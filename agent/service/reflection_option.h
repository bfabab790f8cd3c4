// Whether a server tells callers what it serves (gRPC server reflection). Linking gRPC's library
// for that turns it on for all servers of a program; with this option the server's owner decides.
//
//   builder.SetOption(std::make_unique<ReflectionOption>(options.reflection));
#ifndef DSLAP_AGENT_SERVICE_REFLECTION_OPTION_H_
#define DSLAP_AGENT_SERVICE_REFLECTION_OPTION_H_

#include <grpcpp/impl/server_builder_option.h>
#include <grpcpp/impl/server_builder_plugin.h>
#include <grpcpp/support/channel_arguments.h>

#include <memory>
#include <vector>

namespace dslap {

class ReflectionOption final : public grpc::ServerBuilderOption {
 public:
  explicit ReflectionOption(bool on) : on_(on) {}

  void UpdateArguments(grpc::ChannelArguments* /*arguments*/) override {}
  void UpdatePlugins(std::vector<std::unique_ptr<grpc::ServerBuilderPlugin>>* plugins) override {
    if (on_) return;
    std::erase_if(*plugins,
                  [](const auto& plugin) { return plugin->name() == "proto_server_reflection"; });
  }

 private:
  const bool on_;
};

}  // namespace dslap

#endif  // DSLAP_AGENT_SERVICE_REFLECTION_OPTION_H_
