// Colours for a light and a dark page.

const THEMES = {
  light: { text: "#222222", faint: "#767676", grid: "#d4d4d4", shadow: "rgba(0,0,0,0.16)", lit: "#009e73" },
  dark: { text: "#e8e8e8", faint: "#9a9a9a", grid: "#3d4043", shadow: "rgba(0,0,0,0.5)", lit: "#2fd6a5" },
};

// Red, green and blue of "#rrggbb".
const partsOf = (color) => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));

// "#rrggbb" mixed with black (by < 0) or white.
function shade(color, by) {
  return `#${partsOf(color).map((part) => Math.round(by < 0 ? part * (1 + by) : part + (255 - part) * by).toString(16).padStart(2, "0")).join("")}`;
}

// Of 255.
const brightness = ([red, green, blue]) => 0.299 * red + 0.587 * green + 0.114 * blue;

// Colours for the side of a limb in the dark, its middle, its side in the light, and the line around it.
function shades(color) {
  return { dark: shade(color, -0.38), middle: color, light: shade(color, 0.45), edge: shade(color, -0.55) };
}

function themeOf(dark, colors) {
  const readable = (color) => (dark && brightness(partsOf(color)) < 105 ? shade(color, 0.45) : color);
  const theme = { ...THEMES[dark ? "dark" : "light"], readable };
  theme.bodySides = Object.fromEntries(Object.entries(colors.sides).map(([side, color]) => [side, shades(readable(color))]));
  theme.bodySides.middle = shades(shade(colors.sides.middle, dark ? 0.6 : 0.35)); // clay, on which light and shade can be seen
  theme.bodySides.lit = shades(theme.lit);
  theme.ghosts = Array.from({ length: 12 }, (_, k) => {
    const one = shades(readable(colors.bodies[k % colors.bodies.length]));
    return { left: one, right: one, middle: one, lit: one };
  });
  return theme;
}

// Is the page that a player stands in dark? It is asked for what is behind the frame; a page that won't tell is taken as the system says.
function isDark(wanted) {
  if (wanted !== "auto") return wanted === "dark";
  try {
    for (let element = window.frameElement; element; element = element.parentElement) {
      const { backgroundColor } = getComputedStyle(element);
      const parts = (backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
      if (backgroundColor.startsWith("rgb") && (parts[3] ?? 1) > 0) return brightness(parts) < 128;
    }
    if (window.frameElement) return false;
  } catch {
    // Another origin.
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
