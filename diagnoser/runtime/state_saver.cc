#include "diagnoser/runtime/state_saver.h"

namespace limpet {

StateSaver::~StateSaver() {
  mailbox_.Close();
  thread_.join();
}

void StateSaver::Run() {
  // Nothing comes once the mailbox is closed and the last state has been written.
  for (auto messages = mailbox_.Receive(); !messages.empty(); messages = mailbox_.Receive()) {
    for (const auto& message : messages) {
      save_(std::get<std::string>(message));
    }
  }
}

}  // namespace limpet
