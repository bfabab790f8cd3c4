#include "controller/report/terminal_text.h"

#include <cstdint>

#include "absl/strings/str_format.h"

namespace dslap {
namespace {

struct CodePoint {
  uint32_t value = 0;
  size_t length = 0;  // bytes; 0: not valid UTF-8
};

bool IsContinuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// The code point at the start of a text that is not empty.
CodePoint Decode(absl::string_view text) {
  const auto byte = [&text](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return {};
  uint32_t value = byte(0) & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(byte(i))) return {};
    value = value << 6 | (byte(i) & 0x3FU);
  }
  const bool too_long = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (too_long || surrogate || value > 0x10FFFF) return {};
  return {value, length};
}

bool IsHarmful(uint32_t code_point) {
  const auto in = [code_point](uint32_t first, uint32_t last) {
    return code_point >= first && code_point <= last;
  };
  return in(0, 0x1F) || in(0x7F, 0x9F) ||          // C0, DEL, C1
         in(0x200B, 0x200F) || in(0x2028, 0x202E)  // invisible, line breaks, direction
         || in(0x2060, 0x206F) || code_point == 0xFEFF || in(0xFFF9, 0xFFFB) ||
         in(0xE0000, 0xE007F);
}

}  // namespace

std::string ForTerminal(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const CodePoint code_point = Decode(text.substr(at));
    const absl::string_view bytes = text.substr(at, code_point.length == 0 ? 1 : code_point.length);
    at += bytes.size();
    if (code_point.length == 1 && (bytes[0] == '\n' || bytes[0] == '\t' || bytes[0] == '\r')) {
      const bool line_end = bytes[0] == '\r' && at < text.size() && text[at] == '\n';
      if (!line_end) out += ' ';
    } else if (code_point.length == 0 || IsHarmful(code_point.value)) {
      for (const char byte : bytes) {
        absl::StrAppendFormat(&out, "\\x%02x", static_cast<unsigned char>(byte));
      }
    } else {
      out.append(bytes.data(), bytes.size());
    }
  }
  return out;
}

size_t DisplayWidth(absl::string_view text) {
  size_t columns = 0;
  for (const char byte : text) columns += IsContinuation(static_cast<unsigned char>(byte)) ? 0 : 1;
  return columns;
}

absl::string_view CutToWidth(absl::string_view text, size_t columns) {
  size_t used = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (IsContinuation(static_cast<unsigned char>(text[at]))) continue;
    if (used == columns) return text.substr(0, at);
    ++used;
  }
  return text;
}

}  // namespace dslap
