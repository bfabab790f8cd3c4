// A MySQL server that is only a wire: it listens on loopback, a script says what it sends, and it
// keeps every byte that it gets. For what no real server does: greetings in pieces or full of
// nonsense, refused encryption, hostile requests.
//
//   FakeMySqlServer server([](FakeMySqlServer::Peer& client) {
//     client.SendPacket(FakeMySqlServer::Greeting({.offers_tls = false}));
//     client.ReadPacket();
//     client.SendPacket(FakeMySqlServer::Ok());
//   });
//   ... connect to 127.0.0.1, server.port() ...
//   EXPECT_EQ(server.received(), "");
#ifndef DSLAP_TESTS_FAKES_FAKE_MYSQL_SERVER_H_
#define DSLAP_TESTS_FAKES_FAKE_MYSQL_SERVER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace dslap {

// Serves one connection after the other, each by the script, on a thread of its own, and closes it
// at the script's end. Thread-safe.
class FakeMySqlServer {
 public:
  class Peer;
  using Script = std::function<void(Peer& client)>;

  struct GreetingParts {
    bool offers_tls = false;
    std::string plugin = "mysql_native_password";
    uint32_t more_capabilities = 0;
  };

  // At an IPv4 address; port 0: a free one.
  explicit FakeMySqlServer(Script script, const std::string& address = "127.0.0.1",
                           uint16_t port = 0);
  // Ends the script's waits.
  ~FakeMySqlServer();
  FakeMySqlServer(const FakeMySqlServer&) = delete;
  FakeMySqlServer& operator=(const FakeMySqlServer&) = delete;

  uint16_t port() const { return port_; }
  // All that clients have sent so far; complete once the client has closed and the script ended.
  std::string received() const;
  int connections() const { return connections_.load(); }
  // Waits, at most 10 s, until the scripts of `count` connections have ended. False: they have not.
  bool WaitForEnded(int count = 1) const;

  // Payloads of packets.
  static std::string Greeting(const GreetingParts& parts);
  static std::string Ok(uint16_t server_status = 2);
  static std::string Eof();
  static std::string Error(uint16_t code, std::string_view sqlstate, std::string_view message);
  static std::string SwitchAuthentication(std::string_view plugin);
  static std::string RequestFile(std::string_view path);
  // A payload as the packet it travels in.
  static std::string Packet(std::string_view payload, uint8_t sequence);

 private:
  void Serve();
  void Note(std::string_view bytes);

  const Script script_;
  const int listening_fd_;
  const int stop_fd_;  // readable: end
  uint16_t port_ = 0;
  std::atomic<int> connections_{0};
  std::atomic<int> ended_{0};
  mutable std::mutex mu_;
  std::string received_;  // guarded by mu_
  std::thread thread_;
};

// One client, as the script sees it. What cannot be sent or read because the client is gone is
// passed over.
class FakeMySqlServer::Peer {
 public:
  Peer(FakeMySqlServer* server, int fd) : server_(server), fd_(fd) {}

  // As it is; no packet is made of it.
  void SendBytes(std::string_view bytes) const;
  // One byte in each segment, a millisecond between them.
  void SendSlowly(std::string_view bytes) const;
  // Numbered as the protocol wants it.
  void SendPacket(std::string_view payload);
  // The payload; empty as well when the client has closed.
  std::string ReadPacket();
  // Until the client closes, or the server is stopped.
  void ReadToTheEnd();
  // The client has closed, or the server is being stopped: nothing is to be sent any more.
  bool Over() const;

 private:
  bool AwaitBytes() const;
  bool ReadExactly(size_t size, std::string* bytes);

  FakeMySqlServer* const server_;
  const int fd_;
  uint8_t sequence_ = 0;  // of the next packet to send
};

}  // namespace dslap

#endif  // DSLAP_TESTS_FAKES_FAKE_MYSQL_SERVER_H_
