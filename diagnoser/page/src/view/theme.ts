// theme.ts: light or dark: as the system says until the viewer chooses.
import { useEffect, useState } from "preact/hooks";

export type Theme = "light" | "dark";
const KEY = "limpet-theme";
const SYSTEM = "(prefers-color-scheme: dark)";

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null; // storage may be forbidden
  }
}

export function useTheme(): [Theme, () => void] {
  const [chosen, setChosen] = useState(stored);
  const [system, setSystem] = useState<Theme>(matchMedia(SYSTEM).matches ? "dark" : "light");
  useEffect(() => {
    const query = matchMedia(SYSTEM);
    const follow = () => setSystem(query.matches ? "dark" : "light");
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  const theme = chosen ?? system;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const toggle = () => {
    const next = theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Then it holds for this visit.
    }
    setChosen(next);
  };
  return [theme, toggle];
}
