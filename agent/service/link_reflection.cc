#include "agent/service/link_reflection.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>

namespace dslap {

void LinkReflection() { grpc::reflection::InitProtoReflectionServerBuilderPlugin(); }

}  // namespace dslap
