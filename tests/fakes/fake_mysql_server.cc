#include "tests/fakes/fake_mysql_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <utility>

namespace dslap {
namespace {

constexpr size_t kHeaderBytes = 4;
constexpr std::chrono::seconds kPatience{10};

// Capabilities of the protocol: long passwords and flags, a schema at connect, local files, the 4.1
// protocol, transactions, 4.1 authentication, several statements and results, plugins.
constexpr uint32_t kCapabilities =
    0x1 | 0x4 | 0x8 | 0x80 | 0x200 | 0x2000 | 0x8000 | 0x10000 | 0x20000 | 0x80000;
constexpr uint32_t kTls = 0x800;

void AppendLittleEndian(std::string* bytes, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes->push_back(static_cast<char>(value >> (8 * i)));
}

// Of twenty bytes, none of them NUL.
constexpr std::string_view kScramble = "abcdefghijklmnopqrst";

}  // namespace

std::string FakeMySqlServer::Greeting(const GreetingParts& parts) {
  const uint32_t capabilities =
      kCapabilities | parts.more_capabilities | (parts.offers_tls ? kTls : 0);
  std::string bytes(
      "\x0a"
      "8.0.99-fake\0",
      13);
  AppendLittleEndian(&bytes, 7, 4);  // connection
  bytes.append(kScramble.substr(0, 8)).push_back('\0');
  AppendLittleEndian(&bytes, capabilities & 0xffff, 2);
  AppendLittleEndian(&bytes, 45, 1);  // utf8mb4
  AppendLittleEndian(&bytes, 2, 2);   // autocommit
  AppendLittleEndian(&bytes, capabilities >> 16, 2);
  AppendLittleEndian(&bytes, kScramble.size() + 1, 1);
  bytes.append(10, '\0');
  bytes.append(kScramble.substr(8)).push_back('\0');
  bytes.append(parts.plugin).push_back('\0');
  return bytes;
}

std::string FakeMySqlServer::Ok(uint16_t server_status) {
  std::string bytes(3, '\0');
  AppendLittleEndian(&bytes, server_status, 2);
  return bytes.append(2, '\0');
}

std::string FakeMySqlServer::Eof() { return std::string("\xfe\0\0\2\0", 5); }

std::string FakeMySqlServer::Error(uint16_t code, std::string_view sqlstate,
                                   std::string_view message) {
  std::string bytes = "\xff";
  AppendLittleEndian(&bytes, code, 2);
  // A server that has not greeted yet sends no SQLSTATE.
  if (!sqlstate.empty()) bytes.append("#").append(sqlstate);
  return bytes.append(message);
}

std::string FakeMySqlServer::SwitchAuthentication(std::string_view plugin) {
  std::string bytes = "\xfe";
  bytes.append(plugin).push_back('\0');
  bytes.append(kScramble).push_back('\0');
  return bytes;
}

std::string FakeMySqlServer::RequestFile(std::string_view path) {
  return std::string("\xfb").append(path);
}

std::string FakeMySqlServer::Packet(std::string_view payload, uint8_t sequence) {
  std::string bytes;
  AppendLittleEndian(&bytes, payload.size(), 3);
  AppendLittleEndian(&bytes, sequence, 1);
  return bytes.append(payload);
}

FakeMySqlServer::FakeMySqlServer(Script script, const std::string& at, uint16_t port)
    : script_(std::move(script)),
      listening_fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      stop_fd_(eventfd(0, EFD_CLOEXEC)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  inet_pton(AF_INET, at.c_str(), &address.sin_addr);
  socklen_t size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (bind(listening_fd_, generic, size) != 0 || listen(listening_fd_, 16) != 0 ||
      getsockname(listening_fd_, generic, &size) != 0) {
    std::abort();
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Serve(); });
}

FakeMySqlServer::~FakeMySqlServer() {
  const uint64_t one = 1;
  if (write(stop_fd_, &one, sizeof(one)) != sizeof(one)) std::abort();
  thread_.join();
  close(stop_fd_);
  close(listening_fd_);
}

void FakeMySqlServer::Serve() {
  for (;;) {
    std::array<pollfd, 2> waited = {pollfd{listening_fd_, POLLIN, 0}, pollfd{stop_fd_, POLLIN, 0}};
    poll(waited.data(), waited.size(), -1);
    if (waited[1].revents != 0) return;
    const int fd = accept4(listening_fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    ++connections_;
    Peer peer(this, fd);
    script_(peer);
    close(fd);
    ++ended_;
  }
}

std::string FakeMySqlServer::received() const {
  const std::lock_guard<std::mutex> lock(mu_);
  return received_;
}

void FakeMySqlServer::Note(std::string_view bytes) {
  const std::lock_guard<std::mutex> lock(mu_);
  received_.append(bytes);
}

bool FakeMySqlServer::WaitForEnded(int count) const {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (ended_.load() < count) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

void FakeMySqlServer::Peer::SendBytes(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

void FakeMySqlServer::Peer::SendSlowly(std::string_view bytes) const {
  for (const char byte : bytes) {
    SendBytes({&byte, 1});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void FakeMySqlServer::Peer::SendPacket(std::string_view payload) {
  SendBytes(Packet(payload, sequence_++));
}

std::string FakeMySqlServer::Peer::ReadPacket() {
  std::string header;
  std::string payload;
  if (!ReadExactly(kHeaderBytes, &header)) return "";
  size_t size = 0;
  for (size_t i = 0; i < 3; ++i) {
    size |= static_cast<size_t>(static_cast<unsigned char>(header[i])) << (8 * i);
  }
  sequence_ = static_cast<uint8_t>(header[3] + 1);
  if (!ReadExactly(size, &payload)) return "";
  return payload;
}

void FakeMySqlServer::Peer::ReadToTheEnd() {
  std::string byte;
  while (ReadExactly(1, &byte)) byte.clear();
}

bool FakeMySqlServer::Peer::Over() const {
  std::array<pollfd, 2> waited = {pollfd{fd_, POLLRDHUP, 0}, pollfd{server_->stop_fd_, POLLIN, 0}};
  return poll(waited.data(), waited.size(), 0) > 0;
}

// False when the server is being stopped.
bool FakeMySqlServer::Peer::AwaitBytes() const {
  std::array<pollfd, 2> waited = {pollfd{fd_, POLLIN, 0}, pollfd{server_->stop_fd_, POLLIN, 0}};
  poll(waited.data(), waited.size(), -1);
  return waited[1].revents == 0;
}

bool FakeMySqlServer::Peer::ReadExactly(size_t size, std::string* bytes) {
  while (bytes->size() < size) {
    std::array<char, 4096> buffer;
    if (!AwaitBytes()) return false;
    const ssize_t got = recv(fd_, buffer.data(), std::min(buffer.size(), size - bytes->size()), 0);
    if (got <= 0) return false;
    const std::string_view taken(buffer.data(), static_cast<size_t>(got));
    server_->Note(taken);
    bytes->append(taken);
  }
  return true;
}

}  // namespace dslap
