// Buttons, keys and pointers: what a person does, said to the player.

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

const KEYS = {
  " ": (player) => player.toggle(),
  k: (player) => player.toggle(),
  ArrowLeft: (player) => player.step(-1),
  ArrowRight: (player) => player.step(1),
  Home: (player) => player.restart(),
  End: (player) => player.seek(player.clock.duration),
  "[": (player) => player.changeSpeed(-1),
  "]": (player) => player.changeSpeed(1),
  l: (player) => player.toggleLoop(),
  f: (player) => player.toggleFollow(),
  t: (player) => player.toggleTrail(),
  g: (player) => player.toggleTogether(),
  c: (player) => player.toggleCurves(),
  r: (player) => player.resetCamera(),
  "+": (player) => player.zoom(1.15),
  "=": (player) => player.zoom(1.15),
  "-": (player) => player.zoom(1 / 1.15),
};

const BUTTONS = {
  start: KEYS.Home,
  back: KEYS.ArrowLeft,
  play: KEYS[" "],
  forth: KEYS.ArrowRight,
  loop: KEYS.l,
  follow: KEYS.f,
  trail: KEYS.t,
  together: KEYS.g,
  panel: KEYS.c,
  camera: KEYS.r,
};

function connectKeys(player) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName } = event.target;
    // Lists have keys of their own, and so does Space on a button.
    if (tagName === "SELECT" || (tagName === "BUTTON" && event.key === " ")) return;
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    act(player);
    event.preventDefault();
  });
}

function connectButtons(player, page) {
  for (const [name, act] of Object.entries(BUTTONS)) page[name].addEventListener("click", () => act(player));
  page.scrub.addEventListener("input", () => player.seek(Number(page.scrub.value)));
  page.speed.addEventListener("change", () => player.setSpeed(Number(page.speed.value)));
  page.joint.addEventListener("change", () => player.chooseCurve(page.joint.value, page.quantity.value));
  page.quantity.addEventListener("change", () => player.chooseCurve(page.joint.value, page.quantity.value));
}

// Drag to orbit; with Shift, the right button or two fingers to move; wheel or two fingers to zoom; click to play.
function connectStage(player, stage) {
  const held = new Map();
  let moved = 0;
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
  stage.addEventListener("dblclick", () => player.resetCamera());
  stage.addEventListener("pointerdown", (event) => {
    stage.setPointerCapture(event.pointerId);
    stage.focus({ preventScroll: true });
    if (held.size === 0) moved = 0;
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  stage.addEventListener("pointermove", (event) => {
    const from = held.get(event.pointerId);
    if (!from) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    moved += Math.hypot(dx, dy);
    const gap = () => {
      const [a, b] = [...held.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    if (held.size === 2) {
      const before = gap();
      Object.assign(from, { x: event.clientX, y: event.clientY });
      player.zoom(gap() / Math.max(before, 1));
      player.pan(dx / 2, dy / 2);
      return;
    }
    Object.assign(from, { x: event.clientX, y: event.clientY });
    if (event.shiftKey || event.buttons & 6) player.pan(dx, dy);
    else player.orbit(dx * 0.008, dy * 0.008);
  });
  const release = (event) => held.delete(event.pointerId);
  stage.addEventListener("pointerup", (event) => {
    if (held.size === 1 && moved < 4 && event.button === 0) player.toggle();
    release(event);
  });
  stage.addEventListener("pointercancel", release);
  stage.addEventListener(
    "wheel",
    (event) => {
      // In a notebook the wheel scrolls the notebook until the player is used.
      if (window !== window.top && !document.hasFocus()) return;
      event.preventDefault();
      player.zoom(Math.exp(-0.0015 * event.deltaY));
    },
    { passive: false },
  );
}

function connectCurves(player, canvas) {
  const seek = (event) => player.seek(player.curves.timeAt(event.offsetX, player.clock));
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    seek(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) seek(event);
  });
}
