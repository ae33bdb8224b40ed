// members_bar.tsx: the diagnosers of a federation: which of them is to be read with care, and why.
import type { Member } from "../api/types";
import { displayName } from "../text/names";
import { useModel } from "./hooks";

const WORDS: Record<string, string> = {
  down: "down",
  late: "late",
  version: "other version",
  clock: "clock off",
  names: "same names",
};

export function MembersBar() {
  const { members } = useModel("judged", "cluster");
  if (members === null) return null;
  return (
    <ul class="members" aria-label="Diagnosers">
      {members.map((member) => (
        <li key={member.member}>
          <MemberButton member={member} />
        </li>
      ))}
    </ul>
  );
}

/** Puts its nodes in focus; pressed again, all. */
function MemberButton({ member: { member, nodes, marks } }: { member: Member }) {
  const model = useModel("address");
  const { filters } = model.address;
  const text = `diagnoser=${member}`;
  const pressed = filters.text === text;
  const said = marks.map((one) => one.text).join("; ");
  const gone = marks.some(({ mark }) => mark === "down" || mark === "late");
  return (
    <button
      type="button"
      class={`chip member${gone ? " member-gone" : ""}`}
      aria-pressed={pressed}
      title={said || `${nodes} nodes`}
      onClick={() => model.navigate({ filters: { ...filters, text: pressed ? "" : text } }, true)}
    >
      <bdi>{displayName(member)}</bdi>{" "}
      <span class="member-nodes">{nodes === 1 ? "1 node" : `${nodes} nodes`}</span>
      {marks.map(({ mark }) => (
        <span class="member-mark" key={mark}>
          {" "}
          {WORDS[mark] ?? mark}
        </span>
      ))}
      {said && <span class="visually-hidden">: {displayName(said)}</span>}
    </button>
  );
}
