// The options of the connection, from argv to TargetOptions (connection_fields.h, build_target.h).
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "controller/cli/parse_command_line.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/controller/cli/command_line_fixture.h"

namespace dslap {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ConnectionOptionsTest : public CommandLineFixture {
 protected:
  // -a is put before the arguments.
  absl::StatusOr<Options> Parse(std::vector<std::string> arguments) override {
    arguments.insert(arguments.begin(), "-a");
    return CommandLineFixture::Parse(std::move(arguments));
  }

  TargetOptions Target(const std::vector<std::string>& arguments) {
    return Accepted(arguments).target;
  }
  TlsMode Mode(const std::vector<std::string>& arguments) { return Target(arguments).tls.mode; }
};

TEST_F(ConnectionOptionsTest, NothingGiven) {
  const TargetOptions target = Target({});
  EXPECT_FALSE(target.compression.zlib);
  EXPECT_FALSE(target.compression.zstd);
  EXPECT_EQ(target.default_auth, "");
  EXPECT_FALSE(target.cleartext_password);
  EXPECT_EQ(target.sql_mode, std::nullopt);
  EXPECT_EQ(Accepted({}).init_command, "");
}

TEST_F(ConnectionOptionsTest, EveryTextReachesItsPlace) {
  const Options options = Accepted(
      {"--default-auth=dialog", "--plugin-dir=/p", "--character-sets-dir=/c",
       "--server-public-key-path=/k", "--enable-cleartext-plugin", "--get-server-public-key",
       "--sql-mode=ANSI", "--init-command=SET @a = 1 --x", "--ssl-ca=/ca", "--ssl-capath=/cas",
       "--ssl-cert=/cert", "--ssl-key=/key", "--ssl-crl=/crl", "--ssl-crlpath=/crls",
       "--ssl-cipher=C", "--tls-ciphersuites=S", "--tls-version=tlsv1.2, TLSv1.3"});
  const TargetOptions& target = options.target;
  EXPECT_EQ(target.default_auth, "dialog");
  EXPECT_EQ(target.plugin_dir, "/p");
  EXPECT_EQ(target.character_sets_dir, "/c");
  EXPECT_EQ(target.server_public_key_path, "/k");
  EXPECT_TRUE(target.cleartext_password);
  EXPECT_EQ(target.sql_mode, "ANSI");
  EXPECT_EQ(options.init_command, "SET @a = 1 --x");
  EXPECT_EQ(target.tls.ca, "/ca");
  EXPECT_EQ(target.tls.ca_path, "/cas");
  EXPECT_EQ(target.tls.certificate, "/cert");
  EXPECT_EQ(target.tls.key, "/key");
  EXPECT_EQ(target.tls.crl, "/crl");
  EXPECT_EQ(target.tls.crl_path, "/crls");
  EXPECT_EQ(target.tls.cipher, "C");
  EXPECT_EQ(target.tls.cipher_suites, "S");
  EXPECT_EQ(target.tls.versions, "TLSv1.2,TLSv1.3");
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(ConnectionOptionsTest, LastInitCommandCounts) {
  EXPECT_EQ(Accepted({"--init-command=A", "--init-command=B"}).init_command, "B");
}

TEST_F(ConnectionOptionsTest, EmptySqlModeIsGiven) {
  EXPECT_EQ(Target({"--sql-mode="}).sql_mode, "");
}

// ---------------------------------------------------------------------------- TLS

TEST_F(ConnectionOptionsTest, WithoutAnOptionTlsIsAsInThatMysqlslap) {
  EXPECT_EQ(Mode({}), TlsMode::kPreferred);
  EXPECT_EQ(Mode({"--compat=mariadb"}), TlsMode::kOff);
}

TEST_F(ConnectionOptionsTest, SslModeSaysItAll) {
  EXPECT_EQ(Mode({"--ssl-mode=disabled"}), TlsMode::kOff);
  EXPECT_EQ(Mode({"--ssl-mode=Preferred", "--compat=mariadb"}), TlsMode::kPreferred);
  EXPECT_EQ(Mode({"--ssl-mode=REQUIRED"}), TlsMode::kRequired);
  EXPECT_EQ(Mode({"--ssl-mode=VERIFY_CA", "--ssl-ca=/ca"}), TlsMode::kVerifyCa);
  EXPECT_EQ(Mode({"--ssl-mode=VERIFY_IDENTITY", "--ssl-capath=/cas"}), TlsMode::kVerifyIdentity);
  EXPECT_EQ(Refused({"--ssl-mode=ON"}),
            "--ssl-mode=ON: 'ON' is none of: DISABLED, PREFERRED, REQUIRED, VERIFY_CA, "
            "VERIFY_IDENTITY");
}

TEST_F(ConnectionOptionsTest, SslRequiresAndSkipSslSwitchesOff) {
  for (const char* const compat : {"--compat=mysql", "--compat=mariadb"}) {
    EXPECT_EQ(Mode({"--ssl", compat}), TlsMode::kRequired);
    EXPECT_EQ(Mode({"--ssl=1", compat}), TlsMode::kRequired);
    EXPECT_EQ(Mode({"--skip-ssl", compat}), TlsMode::kOff);
    EXPECT_EQ(Mode({"--ssl=0", compat}), TlsMode::kOff);
  }
}

TEST_F(ConnectionOptionsTest, LastOfSslAndSslModeCounts) {
  EXPECT_EQ(Mode({"--ssl", "--ssl-mode=DISABLED"}), TlsMode::kOff);
  EXPECT_EQ(Mode({"--ssl-mode=DISABLED", "--ssl"}), TlsMode::kRequired);
  EXPECT_EQ(Mode({"--ssl-mode=VERIFY_CA", "--ssl-ca=/ca", "--ssl"}), TlsMode::kVerifyCa);
  EXPECT_EQ(Mode({"--ssl-mode=REQUIRED", "--skip-ssl"}), TlsMode::kOff);
}

// Neither program of the two would enforce that.
TEST_F(ConnectionOptionsTest, AnyOptionOfTlsRequiresIt) {
  for (const char* const option : {"--ssl-cert=/c", "--ssl-key=/k", "--ssl-cipher=C",
                                   "--tls-ciphersuites=S", "--tls-version=TLSv1.3"}) {
    EXPECT_EQ(Mode({option}), TlsMode::kRequired) << option;
    EXPECT_EQ(Mode({option, "--compat=mariadb"}), TlsMode::kRequired) << option;
  }
}

TEST_F(ConnectionOptionsTest, CaMeansVerified) {
  EXPECT_EQ(Mode({"--ssl-ca=/ca"}), TlsMode::kVerifyCa);
  EXPECT_EQ(Mode({"--ssl-capath=/cas"}), TlsMode::kVerifyCa);
  EXPECT_EQ(Mode({"--ssl", "--ssl-ca=/ca"}), TlsMode::kVerifyCa);
  EXPECT_EQ(Mode({"--ssl-mode=REQUIRED", "--ssl-ca=/ca"}), TlsMode::kVerifyCa);
  EXPECT_EQ(Mode({"--ssl-mode=PREFERRED", "--ssl-ca=/ca"}), TlsMode::kPreferred);
}

TEST_F(ConnectionOptionsTest, VerifyServerCertMeansTheNameToo) {
  EXPECT_EQ(Mode({"--ssl-verify-server-cert"}), TlsMode::kVerifyIdentity);
  EXPECT_EQ(Mode({"--ssl-verify-server-cert", "--ssl-ca=/ca"}), TlsMode::kVerifyIdentity);
  EXPECT_EQ(Mode({"--ssl-verify-server-cert", "--ssl-mode=VERIFY_CA"}), TlsMode::kVerifyIdentity);
  EXPECT_EQ(Mode({"--skip-ssl-verify-server-cert", "--ssl-ca=/ca"}), TlsMode::kVerifyCa);
  EXPECT_EQ(Refused({"--ssl-verify-server-cert", "--ssl-mode=PREFERRED"}),
            "--ssl-mode=PREFERRED goes without TLS where there is none, and "
            "--ssl-verify-server-cert does not; give --ssl-mode=VERIFY_IDENTITY, or leave one out");
}

TEST_F(ConnectionOptionsTest, VerifyingNeedsACa) {
  EXPECT_EQ(Refused({"--ssl-mode=VERIFY_CA"}),
            "--ssl-mode=VERIFY_CA: needs to know which CA to trust; give --ssl-ca=FILE or "
            "--ssl-capath=DIR");
  EXPECT_EQ(Refused({"--ssl-mode=VERIFY_IDENTITY"}),
            "--ssl-mode=VERIFY_IDENTITY: needs to know which CA to trust; give --ssl-ca=FILE or "
            "--ssl-capath=DIR");
  EXPECT_EQ(Refused({"--ssl-crl=/crl"}),
            "--ssl-crl: is looked at only where the server's certificate is verified; give "
            "--ssl-ca=FILE, too");
  EXPECT_EQ(Refused({"--ssl-crlpath=/crls", "--ssl"}),
            "--ssl-crlpath: is looked at only where the server's certificate is verified; give "
            "--ssl-ca=FILE, too");
  EXPECT_EQ(Mode({"--ssl-crl=/crl", "--ssl-verify-server-cert"}), TlsMode::kVerifyIdentity);
}

TEST_F(ConnectionOptionsTest, TlsOptionsWithoutTlsAreSaidAndNotSent) {
  const TargetOptions target = Target({"--skip-ssl", "--ssl-ca=/ca", "--ssl-verify-server-cert"});
  EXPECT_EQ(target.tls.mode, TlsMode::kOff);
  EXPECT_EQ(target.tls.ca, "");
  EXPECT_THAT(warnings_, ElementsAre("--ssl-ca, --ssl-verify-server-cert: of no effect, as TLS is "
                                     "switched off"));
}

TEST_F(ConnectionOptionsTest, TlsVersionsAreKnownOnes) {
  EXPECT_EQ(Target({"--tls-version=TLSv1,TLSv1.1"}).tls.versions, "TLSv1.0,TLSv1.1");
  EXPECT_EQ(Refused({"--tls-version=TLSv1.2,SSLv3"}),
            "--tls-version=TLSv1.2,SSLv3: 'SSLv3' is none of: TLSv1.0, TLSv1.1, TLSv1.2, TLSv1.3");
}

TEST_F(ConnectionOptionsTest, FipsModeCanOnlyBeOff) {
  EXPECT_EQ(Mode({"--ssl-fips-mode=off"}), TlsMode::kPreferred);
  EXPECT_EQ(Refused({"--ssl-fips-mode=STRICT"}),
            "--ssl-fips-mode=STRICT: MariaDB Connector/C, the client library of the agents, cannot "
            "switch it on; set up OpenSSL on their hosts for it, and leave the option out");
  EXPECT_EQ(Refused({"--ssl-fips-mode=maybe"}),
            "--ssl-fips-mode=maybe: 'maybe' is none of: OFF, ON, STRICT");
}

TEST_F(ConnectionOptionsTest, OptionFilesCountAsTheCommandLineDoes) {
  files_.option_files.files["/etc/my.cnf"] =
      "[client]\nssl-mode=REQUIRED\n[mysqlslap]\ncompression-algorithms=zlib\n";
  TargetOptions target = Target({});
  EXPECT_EQ(target.tls.mode, TlsMode::kRequired);
  EXPECT_TRUE(target.compression.zlib);
  EXPECT_FALSE(target.compression.optional);
  EXPECT_EQ(Mode({"--skip-ssl"}), TlsMode::kOff);
  files_.option_files.files["/etc/my.cnf"] = "[client]\nskip-ssl\nget-server-public-key=0\n";
  EXPECT_EQ(Mode({"--ssl", "--get-server-public-key"}), TlsMode::kRequired);
  EXPECT_EQ(Refused({}).substr(0, 29), "--skip-get-server-public-key:");
}

// ---------------------------------------------------------------------------- transport

TEST_F(ConnectionOptionsTest, TransportsOfWindowsAreRefused) {
  for (const char* const name : {"pipe", "MEMORY"}) {
    EXPECT_EQ(Refused({absl::StrCat("--protocol=", name)}),
              absl::StrCat("--protocol=", name,
                           ": only clients on Windows have it; give tcp, or socket for a server on "
                           "the same host"));
  }
  EXPECT_EQ(Refused({"-W"}), "-W (--pipe): only clients on Windows have it; leave it out");
  EXPECT_EQ(Refused({"--shared-memory-base-name=x"}),
            "--shared-memory-base-name: only clients on Windows have it; leave it out");
}

TEST_F(ConnectionOptionsTest, SocketReachesTheSameHostOnly) {
  EXPECT_EQ(Refused({"--protocol=socket", "--host=db"}),
            "--protocol=socket: reaches a server on the same host only, but --host is db; leave "
            "one out");
  EXPECT_EQ(Target({"--protocol=socket", "--host=localhost"}).protocol, TransportProtocol::kSocket);
  // As MariaDB's program does: a host that is named counts for more.
  EXPECT_EQ(Target({"--compat=mariadb", "--host=db", "--socket=/s"}).protocol,
            TransportProtocol::kDefault);
  EXPECT_EQ(Target({"--compat=mariadb", "--host=localhost", "--port=3307"}).protocol,
            TransportProtocol::kTcp);
}

// ---------------------------------------------------------------------------- compression

TEST_F(ConnectionOptionsTest, CompressTakesAnyAlgorithmButNotNone) {
  for (const char* const option : {"-C", "--compress"}) {
    const CompressionOptions compression = Target({option}).compression;
    EXPECT_TRUE(compression.zlib);
    EXPECT_TRUE(compression.zstd);
    EXPECT_FALSE(compression.optional);
  }
  EXPECT_FALSE(Target({"-C", "--skip-compress"}).compression.zlib);
}

TEST_F(ConnectionOptionsTest, CompressionAlgorithmsSayWhatIsAllowed) {
  CompressionOptions compression =
      Target({"--compression-algorithms=zlib,uncompressed"}).compression;
  EXPECT_TRUE(compression.zlib);
  EXPECT_FALSE(compression.zstd);
  EXPECT_TRUE(compression.optional);
  compression =
      Target({"-C", "--zstd-compression-level=7", "--compression-algorithms=ZSTD"}).compression;
  EXPECT_FALSE(compression.zlib);
  EXPECT_TRUE(compression.zstd);
  EXPECT_FALSE(compression.optional);
  EXPECT_EQ(compression.zstd_level, 7U);
  compression = Target({"-C", "--compression-algorithms=uncompressed"}).compression;
  EXPECT_FALSE(compression.zlib);
  EXPECT_FALSE(compression.zstd);
  EXPECT_EQ(Refused({"--compression-algorithms=gzip"}),
            "--compression-algorithms=gzip: 'gzip' is none of: zlib, zstd, uncompressed");
}

TEST_F(ConnectionOptionsTest, ZstdLevel) {
  EXPECT_EQ(Refused({"--zstd-compression-level=0"}),
            "--zstd-compression-level=0: must be at least 1");
  EXPECT_EQ(Refused({"--zstd-compression-level=23"}),
            "--zstd-compression-level=23: must be at most 22");
  EXPECT_EQ(Target({"--zstd-compression-level=5"}).compression.zstd_level, 0U);
  EXPECT_THAT(warnings_, ElementsAre("--zstd-compression-level: without "
                                     "--compression-algorithms=zstd of no effect"));
}

// ---------------------------------------------------------------------------- authentication

TEST_F(ConnectionOptionsTest, Password1IsThePassword) {
  EXPECT_EQ(Target({"--password1=geheim"}).password.Reveal(), "geheim");
  EXPECT_TRUE(Accepted({"--password1"}).ask_password);
  EXPECT_EQ(Target({"--pass=x"}).password.Reveal(), "x");
  EXPECT_EQ(Accepted({"--password1=geheim"}).command_line, "dslap -a --password1=********");
  files_.files["pw"] = "x\n";
  EXPECT_EQ(Refused({"--password1=geheim", "--password-file=pw"}),
            "--password1 and --password-file exclude each other; leave one out");
}

TEST_F(ConnectionOptionsTest, OneFactorOnly) {
  for (const char* const name : {"--password2", "--password3"}) {
    EXPECT_EQ(Refused({absl::StrCat(name, "=geheim")}),
              absl::StrCat(name,
                           ": clients log in with one factor, as MariaDB Connector/C, the client "
                           "library of the agents, knows no second one; leave it out"));
  }
}

TEST_F(ConnectionOptionsTest, KeyOfTheServerCannotBeForbidden) {
  EXPECT_EQ(Refused({"--skip-get-server-public-key"}),
            "--skip-get-server-public-key: MariaDB Connector/C, the client library of the agents, "
            "asks for the key whenever it needs one; give --server-public-key-path=FILE or "
            "--ssl-mode=REQUIRED, so that it does not");
}

TEST_F(ConnectionOptionsTest, CleartextCanBeSwitchedOffAgain) {
  EXPECT_FALSE(
      Target({"--enable-cleartext-plugin", "--skip-enable-cleartext-plugin"}).cleartext_password);
  EXPECT_FALSE(Target({"--enable-cleartext-plugin=0"}).cleartext_password);
}

TEST_F(ConnectionOptionsTest, WhatTheClientLibraryCannotDoIsRefusedByName) {
  const std::pair<std::string, std::string> rows[] = {
      {"--ssl-session-data=/f", "begins every TLS session anew"},
      {"--ssl-session-data-continue-on-failed-reuse", "begins every TLS session anew"},
      {"--tls-sni-servername=x", "sends no server name"}};
  for (const auto& [option, reason] : rows) {
    EXPECT_EQ(Refused({option}),
              absl::StrCat(option.substr(0, option.find('=')),
                           ": MariaDB Connector/C, the client library of the agents, ", reason,
                           "; leave it out"));
  }
}

}  // namespace
}  // namespace dslap
