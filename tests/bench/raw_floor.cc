// The floor that load programs are measured against: as little work for each statement as a client
// of MySQL's protocol can do. Not shipped, and of no use but to be compared with.
//
//   raw_floor --socket=/run/mariadb.sock --user=u --password=p --clients=1000 --statements=200000
//       --query='select 1'
//
// N connections, one fixed statement, M executions in all, a thread for each core that waits in
// epoll. A statement costs one write(2), one read(2) and its part of an epoll_wait(2); of the
// answer only the packet headers are looked at. There is no clock in it, no histogram, no error
// accounting but to give up, and nobody to report progress to. Prints one line of KEY=VALUE.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Options {
  std::string socket;
  std::string host = "127.0.0.1";
  uint16_t port = 3306;
  std::string user;
  std::string password;
  std::string query = "select 1";
  size_t clients = 1;
  uint64_t statements = 1;
  size_t threads = std::max(std::thread::hardware_concurrency(), 1U);
};

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "raw_floor: %s\n", what.c_str());
  std::exit(1);
}
[[noreturn]] void DieOfErrno(const std::string& what) { Die(what + ": " + std::strerror(errno)); }

constexpr size_t kHeaderBytes = 4;
constexpr uint8_t kOk = 0x00;
constexpr uint8_t kEof = 0xfe;
constexpr uint8_t kError = 0xff;
constexpr uint32_t kLongestEof = 8;

std::string Packet(uint8_t sequence, std::string_view payload) {
  std::string packet;
  for (int shift = 0; shift < 24; shift += 8) {
    packet.push_back(static_cast<char>(payload.size() >> shift));
  }
  packet.push_back(static_cast<char>(sequence));
  packet.append(payload);
  return packet;
}

// ------------------------------------------------------------------------------------- logging in

void WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) DieOfErrno("write");
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
}

std::string ReadBytes(int fd, size_t count) {
  std::string bytes(count, '\0');
  for (size_t have = 0; have < count;) {
    const ssize_t got = read(fd, bytes.data() + have, count - have);
    if (got < 0 && errno != EINTR) DieOfErrno("read");
    if (got == 0) Die("the server closed the connection while logging in");
    if (got > 0) have += static_cast<size_t>(got);
  }
  return bytes;
}

std::string ReadPacket(int fd) {
  const std::string header = ReadBytes(fd, kHeaderBytes);
  size_t length = 0;
  for (size_t i = 3; i-- > 0;) length = length << 8 | static_cast<uint8_t>(header[i]);
  return ReadBytes(fd, length);
}

std::string Sha1(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;  // NOLINT(*-member-init): filled below
  unsigned int length = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha1(), nullptr);
  return {digest.begin(), digest.begin() + length};
}

// mysql_native_password: SHA1(password) xor SHA1(challenge + SHA1(SHA1(password))).
std::string Scramble(std::string_view challenge, const std::string& password) {
  if (password.empty()) return {};
  std::string answer = Sha1(password);
  const std::string mask = Sha1(std::string(challenge) + Sha1(answer));
  for (size_t i = 0; i < answer.size(); ++i) answer[i] = static_cast<char>(answer[i] ^ mask[i]);
  return answer;
}

std::string ChallengeOf(const std::string& greeting) {
  const size_t version_end = greeting.find('\0', 1);
  constexpr size_t kBetween = 8 + 1 + 2 + 1 + 2 + 2 + 1 + 10;
  const size_t first = version_end + 1 + 4;
  if (version_end == std::string::npos || greeting.size() < first + kBetween + 12) {
    Die("the server's greeting is too short");
  }
  return greeting.substr(first, 8) + greeting.substr(first + kBetween, 12);
}

void LogIn(int fd, const Options& options) {
  constexpr char kPlugin[] = "mysql_native_password";
  // LONG_PASSWORD, PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH
  constexpr uint32_t kCapabilities = 0x1 | 0x200 | 0x8000 | 0x80000;
  constexpr uint8_t kUtf8 = 33;
  const std::string challenge = ChallengeOf(ReadPacket(fd));
  std::string login;
  for (int shift = 0; shift < 32; shift += 8) {
    login.push_back(static_cast<char>(kCapabilities >> shift));
  }
  login.append({0, 0, 0, 1});  // the longest packet: 16 MiB
  login.push_back(kUtf8);
  login.append(23, '\0');
  login.append(options.user).push_back('\0');
  const std::string answer = Scramble(challenge, options.password);
  login.push_back(static_cast<char>(answer.size()));
  login.append(answer).append(kPlugin).push_back('\0');
  WriteAll(fd, Packet(1, login));
  std::string reply = ReadPacket(fd);
  // Asked to log in some other way, with a challenge of its own.
  if (!reply.empty() && static_cast<uint8_t>(reply[0]) == kEof) {
    const size_t plugin_end = reply.find('\0', 1);
    if (reply.substr(1, plugin_end - 1) != kPlugin) Die("the account wants " + reply.substr(1));
    WriteAll(fd, Packet(3, Scramble(reply.substr(plugin_end + 1, 20), options.password)));
    reply = ReadPacket(fd);
  }
  if (reply.empty() || static_cast<uint8_t>(reply[0]) != kOk) {
    Die("login refused: " + (reply.size() > 3 ? reply.substr(3) : reply));
  }
}

int Connect(const Options& options) {
  if (!options.socket.empty()) {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    options.socket.copy(address.sun_path, sizeof(address.sun_path) - 1);
    if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
      DieOfErrno("connect to " + options.socket);
    }
    return fd;
  }
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options.port);
  if (inet_pton(AF_INET, options.host.c_str(), &address.sin_addr) != 1) {
    Die("--host must be an IPv4 address");
  }
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    DieOfErrno("connect to " + options.host);
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return fd;
}

// ------------------------------------------------------------------------------------- the answers

// Finds the end of an answer in a stream of bytes, one result or an OK; keeps nothing of it.
class Answer {
 public:
  // True: the answer is complete. Answers follow statements, so that nothing comes after it.
  bool Take(const uint8_t* bytes, size_t count) {
    for (size_t i = 0; i < count;) {
      if (header_have_ < kHeaderBytes) {
        length_ |= header_have_ < 3 ? uint32_t{bytes[i]} << (8 * header_have_) : 0;
        ++i;
        if (++header_have_ == kHeaderBytes) left_ = length_;
        continue;
      }
      if (left_ == length_ && EndsHere(bytes[i])) {
        done_ = true;
      }
      const size_t skipped = std::min<size_t>(left_, count - i);
      i += skipped;
      left_ -= static_cast<uint32_t>(skipped);
      if (left_ != 0) return false;
      length_ = 0;
      header_have_ = 0;
      if (!done_) continue;
      done_ = false;
      stage_ = Stage::kFirst;
      return true;
    }
    return false;
  }

 private:
  enum class Stage : uint8_t { kFirst, kColumns, kRows };

  // By the first byte of a packet.
  bool EndsHere(uint8_t byte) {
    if (byte == kError) Die("a statement failed");
    const bool eof = byte == kEof && length_ <= kLongestEof;
    switch (stage_) {
      case Stage::kFirst:
        if (byte == kOk) return true;
        stage_ = Stage::kColumns;
        return false;
      case Stage::kColumns:
        if (eof) stage_ = Stage::kRows;
        return false;
      case Stage::kRows:
        break;
    }
    return eof;
  }

  Stage stage_ = Stage::kFirst;
  bool done_ = false;
  uint8_t header_have_ = 0;
  uint32_t length_ = 0;
  uint32_t left_ = 0;
};

struct Connection {
  int fd = -1;
  uint64_t left = 0;  // statements
  Answer answer;
};

// Runs the connections of one thread to their last answers.
void Drive(const std::vector<Connection*>& connections, std::string_view statement) {
  const int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) DieOfErrno("epoll_create1");
  size_t open = 0;
  for (Connection* connection : connections) {
    if (connection->left == 0) continue;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = connection;
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, connection->fd, &event) != 0) DieOfErrno("epoll_ctl");
    ++open;
    WriteAll(connection->fd, statement);
  }
  const std::string good_bye = Packet(0, "\x01");
  std::array<epoll_event, 64> events;  // NOLINT(*-member-init): filled by the kernel
  std::vector<uint8_t> bytes(65536);
  while (open != 0) {
    const int count = epoll_wait(epoll_fd, events.data(), events.size(), -1);
    for (int i = 0; i < count; ++i) {
      auto* const connection = static_cast<Connection*>(events[static_cast<size_t>(i)].data.ptr);
      const ssize_t got = read(connection->fd, bytes.data(), bytes.size());
      if (got <= 0) DieOfErrno("a connection broke");
      if (!connection->answer.Take(bytes.data(), static_cast<size_t>(got))) continue;
      if (--connection->left == 0) {
        --open;
        WriteAll(connection->fd, good_bye);
        close(connection->fd);
      } else {
        WriteAll(connection->fd, statement);
      }
    }
  }
  close(epoll_fd);
}

// ------------------------------------------------------------------------------------ command line

template <typename Number>
Number ToNumber(std::string_view name, std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) {
    Die("--" + std::string(name) + " must be a number from 1");
  }
  return number;
}

void SetOption(std::string_view name, std::string_view value, Options* options) {
  using Text = std::pair<std::string_view, std::string*>;
  for (const auto& [known, field] :
       {Text{"socket", &options->socket}, Text{"host", &options->host},
        Text{"user", &options->user}, Text{"password", &options->password},
        Text{"query", &options->query}}) {
    if (name == known) {
      *field = value;
      return;
    }
  }
  if (name == "port") {
    options->port = ToNumber<uint16_t>(name, value);
  } else if (name == "clients") {
    options->clients = ToNumber<size_t>(name, value);
  } else if (name == "statements") {
    options->statements = ToNumber<uint64_t>(name, value);
  } else if (name == "threads") {
    options->threads = ToNumber<size_t>(name, value);
  } else {
    Die("unknown option --" + std::string(name));
  }
}

Options Parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const size_t equals = argument.find('=');
    if (argument.substr(0, 2) != "--" || equals == std::string_view::npos) {
      Die("options only, written --name=value: " + std::string(argument));
    }
    const std::string_view name = argument.substr(2, equals - 2);
    const std::string_view value = argument.substr(equals + 1);
    SetOption(name, value, &options);
  }
  return options;
}

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  auto begin = std::chrono::steady_clock::now();
  std::deque<Connection> connections(options.clients);
  std::vector<std::vector<Connection*>> shares(std::min(options.threads, options.clients));
  for (size_t i = 0; i < connections.size(); ++i) {
    connections[i].fd = Connect(options);
    LogIn(connections[i].fd, options);
    connections[i].left =
        options.statements / options.clients + (i < options.statements % options.clients ? 1 : 0);
    shares[i % shares.size()].push_back(&connections[i]);
  }
  const double connect_seconds = SecondsSince(begin);

  constexpr char kComQuery = 3;
  const std::string statement = Packet(0, kComQuery + options.query);
  begin = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (const std::vector<Connection*>& share : shares) {
      threads.emplace_back([&share, &statement] { Drive(share, statement); });
    }
  }
  std::printf("statements=%llu seconds=%.6f connect_seconds=%.6f\n",
              static_cast<unsigned long long>(options.statements),  // NOLINT(google-runtime-int)
              SecondsSince(begin), connect_seconds);
  return 0;
}
