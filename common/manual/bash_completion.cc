#include "common/manual/bash_completion.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/manual/value_kind.h"

namespace dslap {
namespace {

// What bash splits into words at "=", ":" and the like is read as it was typed, so that it does not
// matter at which characters it does (COMP_WORDBREAKS); only what stands behind the last of them is
// then to be handed back.
constexpr char kScript[] =
    R"(# Completion of @PROGRAM@ for bash. Generated from its table of options.

@FUNCTION@() {
  local options='@OPTIONS@'
  local first_only='@FIRST_ONLY@'
  local skippable='@SKIPPABLE@'
  local separate='@SEPARATE@'
  local subcommands='@SUBCOMMANDS@'

  local line=${COMP_LINE:0:COMP_POINT} word before previous at option='' value='' lead=''
  word=${line##*[[:space:]]}
  before=${line%"$word"}
  before=${before%"${before##*[![:space:]]}"}
  previous=${before##*[[:space:]]}
  if [[ $word == --*=* ]]; then
    option=${word%%=*} value=${word#*=} lead=$option=
  elif [[ " $separate " == *" $previous "* ]]; then
    option=$previous value=$word
  fi

  local found=() kind='' choices='' list=''
  if [[ -n $option ]]; then
    case $option in
@CASES@
    esac
    if [[ -n $list ]]; then
      lead+=${value%"${value##*,}"}
      value=${value##*,}
    fi
    # @FILE stands for what is in the file.
    if [[ $value == @* && $kind == @(file|host) ]]; then
      lead+=@ value=${value#@} kind='file'
    fi
    case $kind in
      file) mapfile -t found < <(compgen -f -- "$value") ;;
      directory) mapfile -t found < <(compgen -d -- "$value") ;;
      host) mapfile -t found < <(compgen -A hostname -- "$value") ;;
      choice) mapfile -t found < <(compgen -W "$choices" -- "$value") ;;
    esac
    [[ $kind != @(file|directory) ]] || compopt -o filenames 2>/dev/null
    found=("${found[@]/#/"$lead"}")
  else
    # Some options are legal only as long as no other stands before them.
    local other words
    read -ra words <<<"$before"
    for other in "${words[@]}"; do
      [[ $other != -* || " $first_only " == *" ${other%%=*}"[\ =]* ]] || first_only=''
    done
    [[ $word != --skip-* ]] || options=$skippable first_only=''
    [[ $word == -* || " $before " == *" ${subcommands:-/} "* ]] || options+=" $subcommands"
    mapfile -t found < <(compgen -W "$options $first_only" -- "$word")
    [[ ${found[*]} != *= || ${#found[@]} -ne 1 ]] || compopt -o nospace 2>/dev/null
  fi
  at=${word##*["$COMP_WORDBREAKS"]}
  COMPREPLY=("${found[@]#"${word%"$at"}"}")
}

complete -F @FUNCTION@ @PROGRAM@
)";

using Words = std::vector<std::string>;

std::string Join(const Words& words) { return absl::StrJoin(words, " "); }

// "--host=" asks for its value; "--csv" and "--csv=" are both complete.
void AppendSpellings(const OptionEntry& option, Words* words) {
  if (option.value != ValueUse::kRequired) words->push_back(absl::StrCat("--", option.name));
  if (option.value != ValueUse::kNone) words->push_back(absl::StrCat("--", option.name, "="));
}

std::string KindName(const OptionEntry& option) {
  if (!option.choices.empty()) return "choice";
  switch (KindOfPlaceholder(option.placeholder)) {
    case ValueKind::kFile:
      return "file";
    case ValueKind::kDirectory:
      return "directory";
    case ValueKind::kHost:
      return "host";
    case ValueKind::kOther:
      return "";
  }
  return "";
}

// "    --engine | -e) kind='choice' choices='a b' list=1 ;;"; empty for values of which nothing is
// known.
std::string Case(const OptionEntry& option) {
  const std::string kind = KindName(option);
  if (option.value == ValueUse::kNone || kind.empty()) return "";
  std::string text = absl::StrCat("      --", option.name);
  if (option.letter != 0) absl::StrAppend(&text, " | -", std::string(1, option.letter));
  absl::StrAppend(&text, ") kind='", kind, "'");
  if (!option.choices.empty()) absl::StrAppend(&text, " choices='", Join(option.choices), "'");
  if (IsList(option.placeholder)) absl::StrAppend(&text, " list=1");
  return absl::StrCat(text, " ;;");
}

}  // namespace

std::string BashCompletion(const ProgramManual& manual) {
  Words options;
  Words first_only;
  Words skippable;
  Words separate;
  Words cases;
  for (const OptionEntry& option : manual.options) {
    AppendSpellings(option, option.first_only ? &first_only : &options);
    if (option.may_be_skipped) skippable.push_back(absl::StrCat("--skip-", option.name));
    if (manual.separate_values && option.value == ValueUse::kRequired) {
      separate.push_back(absl::StrCat("--", option.name));
      if (option.letter != 0) separate.push_back(absl::StrCat("-", std::string(1, option.letter)));
    }
    if (std::string text = Case(option); !text.empty()) cases.push_back(std::move(text));
  }
  const std::string function = absl::StrCat("_", absl::StrReplaceAll(manual.program, {{"-", "_"}}));
  return absl::StrReplaceAll(kScript, {{"@PROGRAM@", manual.program},
                                       {"@FUNCTION@", function},
                                       {"@OPTIONS@", Join(options)},
                                       {"@FIRST_ONLY@", Join(first_only)},
                                       {"@SKIPPABLE@", Join(skippable)},
                                       {"@SEPARATE@", Join(separate)},
                                       {"@SUBCOMMANDS@", Join(manual.subcommands)},
                                       {"@CASES@", absl::StrJoin(cases, "\n")}});
}

}  // namespace dslap
