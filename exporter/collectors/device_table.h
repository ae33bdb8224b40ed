// device_table.h: what a collector remembers about each device the kernel lists.
//
// The kernel lists devices in the same order every time, so a device is found by comparing one
// name; only when the list changes is a name looked up.
//   table.Begin();
//   for (line : lines) if (auto* seen = table.Visit(line.name, make)) …
//   table.End(…);
// Threads: one at a time. Pointers to entries stay valid while the entry exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace limpet {

template <class State>
class DeviceTable {
 public:
  struct Entry {
    std::string name;  // as the kernel writes it, any bytes
    State state;
    bool continuous = false;  // was listed in the pass before this one, too
    std::uint64_t pass = 0;   // in which it was last listed
    std::size_t index = 0;    // where in that pass
  };

  void Begin() {
    ++pass_;
    previous_.swap(order_);
    order_.clear();
    cursor_ = 0;
    changed_ = false;
  }

  // The entry of a name, made by make() when the name is new; nullptr when this pass has had it.
  template <class Make>
  Entry* Visit(std::string_view name, const Make& make) {
    const bool usual = cursor_ < previous_.size() && previous_[cursor_]->name == name;
    Entry* entry = usual ? previous_[cursor_] : FindOrMake(name, make);
    if (entry->pass == pass_) {
      return nullptr;
    }
    changed_ = changed_ || !usual;
    entry->continuous = entry->pass != 0 && entry->pass + 1 == pass_;
    if (entry->continuous) {
      cursor_ = entry->index + 1;
    }
    entry->pass = pass_;
    entry->index = order_.size();
    order_.push_back(entry);
    return entry;
  }

  // Ends a pass. Devices it did not list are gone; up to `remember` of them are kept, so that one
  // that comes back is known. An incomplete pass (a damaged list) makes nobody gone.
  void End(bool complete, std::size_t remember) {
    changed_ = changed_ || order_.size() != previous_.size();
    if (entries_.size() == order_.size()) {
      return;
    }
    if (!complete) {
      for (auto& [name, entry] : entries_) {
        entry.pass = pass_;
      }
    } else if (entries_.size() - order_.size() > remember) {
      std::erase_if(entries_, [&](const auto& item) { return item.second.pass != pass_; });
    }
  }

  // Nullptr for a name that is not known.
  [[nodiscard]] Entry* Find(std::string_view name) {
    const auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
  }
  // Those listed in the last pass, in its order.
  [[nodiscard]] std::span<Entry* const> Present() const { return order_; }
  // Every entry, those of devices that are gone included.
  template <class Visitor>
  void ForEach(const Visitor& visit) {
    for (auto& [name, entry] : entries_) {
      visit(entry);
    }
  }
  // Returns whether the last pass listed other devices, or in another order, than the one before.
  [[nodiscard]] bool Changed() const { return changed_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };

  template <class Make>
  Entry* FindOrMake(std::string_view name, const Make& make) {
    auto found = entries_.find(name);
    if (found == entries_.end()) {
      found = entries_.emplace(std::string(name), Entry{std::string(name), make()}).first;
    }
    return &found->second;
  }

  std::unordered_map<std::string, Entry, Hash, std::equal_to<>> entries_;
  std::vector<Entry*> order_;     // of this pass
  std::vector<Entry*> previous_;  // of the one before
  std::size_t cursor_ = 0;        // into previous_: the name expected next
  std::uint64_t pass_ = 0;
  bool changed_ = false;
};

}  // namespace limpet
