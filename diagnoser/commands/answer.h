// answer.h: `answer`: what people say to an incident: it is fixed, was no fault, is known.
//
// On the diagnoser's machine the answer goes into its state folder, for those who may write there;
// with --url it goes over HTTP, which wants a password or a certificate.
// Threads: from main.
#pragma once

#include <string>
#include <vector>

#include "diagnoser/commands/common_flags.h"
#include "diagnoser/commands/running_diagnoser.h"

namespace limpet {

struct AnswerOptions {
  RunningDiagnoser diagnoser;
  std::string state_folder = kDefaultStateFolder;
  std::string as;
  std::string until;  // "2h" or Unix seconds; empty: for as long as the incident lasts
  std::string note;
  std::string by;                   // empty: who runs this
  std::vector<std::string> inputs;  // the incident's id

  void Bind(Flags& flags);
};

// The exit code: 0 ok, 1 no such incident, or it could not be written, 2 wrong use.
[[nodiscard]] int RunAnswer(const AnswerOptions& options);

}  // namespace limpet
