#include "diagnoser/runtime/state_saver.h"

namespace limpet {

StateSaver::~StateSaver() {
  mailbox_.Close();
  thread_.join();
}

void StateSaver::Run() {
  // Nothing comes once the mailbox is closed and the last state has been written.
  for (auto messages = mailbox_.Receive(); !messages.empty(); messages = mailbox_.Receive()) {
    for (auto& message : messages) {
      auto& encode = std::get<Encode>(message);
      const auto encoded = encode();
      encode = nullptr;  // the state is large
      // Without the lock: fsync may take minutes, and offering must not wait for it.
      save_(encoded);
    }
  }
}

}  // namespace limpet
