#include "diagnoser/evidence/groups/memberships.h"

#include <utility>

namespace limpet {

void Memberships::Refresh(const PipelineConfig& config, const Directory& directory) {
  if (version_ == directory.Version()) {
    return;
  }
  version_ = directory.Version();
  // All anew: who belongs where may depend on labels that came with the newest series.
  kinds_.Refresh(config, directory);
  members_.assign(config.groups.size(), {});
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (!KindRow(config.groups[i].kind).by_connection) {
      members_[i] = FindMembers(directory, i, config.masked, kinds_.Of(i));
    }
  }
  for (const auto& kind : DirectoryKinds()) {
    if (HasCounters(kind.kind)) {
      bottoms_[Index(kind.kind)] = FindAllCounted(directory, kind.kind);
    }
  }
  all_ = members_;
  unseen_ = true;
  selection_.reset();
}

void Memberships::RecordNewcomers(const PipelineConfig& config, const Readings& readings,
                                  UnixTime end) {
  if (!unseen_) {
    return;
  }
  unseen_ = false;
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (config.groups[i].recent > Duration::zero()) {
      const bool more =
          newcomers_.Record(all_[i], KindRow(config.groups[i].kind).entity, readings, end);
      unseen_ = unseen_ || more;
    }
  }
}

bool Memberships::IsSelected(UnixTime born, UnixTime end) const {
  return selection_ && selection_->born == born &&
         selection_->newcomers == newcomers_.All().size() && end >= selection_->span.from &&
         end < selection_->span.until;
}

void Memberships::Select(const PipelineConfig& config, const Readings& readings, UnixTime born,
                         UnixTime end, std::size_t number, PresetRun& run) {
  RecordNewcomers(config, readings, end);
  if (!IsSelected(born, end)) {
    Newcomers::Span span;
    for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
      const auto& rule = config.groups[i];
      if (rule.recent > Duration::zero()) {
        members_[i] = newcomers_.Select(all_[i], rule, born, end);
        span = newcomers_.Narrow(span, all_[i], rule, born, end);
      }
    }
    // Their number stands for them: nobody is removed or changed while a selection holds.
    selection_ = {.born = born, .newcomers = newcomers_.All().size(), .span = span};
    ++selections_;
  }
  // Presets close at different instants, so each run may be the first to see a selection.
  kept_for_.resize(std::max(kept_for_.size(), number + 1), 0);
  if (kept_for_[number] == selections_) {
    return;
  }
  kept_for_[number] = selections_;
  for (std::uint32_t i = 0; i < config.groups.size(); ++i) {
    if (!config.groups[i].recent_of.empty()) {
      run.Groups()[i].KeepOnly(members_[i]);
    }
  }
}

void Memberships::ForgetGone(const IsGone& is_gone, UnixTime before) {
  if (newcomers_.ForgetGone(is_gone, before) > 0) {
    unseen_ = true;  // there may be room for others now
    selection_.reset();
  }
}

void Memberships::Learn(const PipelineConfig& config, const Directory& directory,
                        const PresetRun& run) {
  for (std::uint32_t group = 0; group < run.Sides().size(); ++group) {
    if (kinds_.Learn(config, directory, group, run.Sides()[group])) {
      Invalidate();
    }
  }
}

void Memberships::ForgetComponent(const std::string& component) {
  if (newcomers_.ForgetComponent(component)) {
    unseen_ = true;
    selection_.reset();
  }
}

void Memberships::Resume(Newcomers::FirstSeen first_seen, UnixTime born) {
  newcomers_.Resume(std::move(first_seen));
  for (const auto& group : all_) {
    for (const auto& member : group.members) {
      newcomers_.Remember(member.name, born);
    }
  }
  selection_.reset();
}

}  // namespace limpet
