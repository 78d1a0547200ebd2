// The player: data in, controls connected, a frame drawn whenever something has changed.

const ELEMENTS = [
  ...["stage", "ground", "ghosts", "bodies", "begin", "message"],
  ...["curve", "lines", "curves", "joint", "quantity"],
  ...["scrub", "marks", "time", "speed"],
  ...Object.keys(BUTTONS),
];

class Player {
  static async start() {
    const page = Object.fromEntries(ELEMENTS.map((id) => [id, document.getElementById(id)]));
    const data = JSON.parse(document.getElementById("data").textContent);
    document.documentElement.dataset.theme = isDark(data.theme) ? "dark" : "light";
    page.message.textContent = "loading";
    const motions = await Promise.all(data.bodies.map((body) => Motion.unpack(body)));
    page.message.textContent = "";
    return new Player(page, data, motions);
  }

  constructor(page, data, motions) {
    Object.assign(this, { page, data, motions });
    const duration = Math.max(...motions.map((motion) => motion.body.duration));
    const endless = motions.every((motion) => motion.body.loop);
    this.clock = new Clock(duration, endless, data.speed);
    this.camera = new Camera(data.camera.elevation, data.camera.azimuth);
    this.bodies = motions.map((motion, k) => new Body(motion, k, trailsOf(motion, motions[0], data.trails)));
    this.stage = new Stage({ ground: page.ground, ghosts: page.ghosts, bodies: page.bodies }, this.bodies, this.camera, data);
    this.curves = new Curves(page.lines, page.curves, motions, data);
    this.work = []; // milliseconds that the last frames took
    this.theme = null;
    this.prepare();
    connectKeys(this);
    connectButtons(this, page);
    connectStage(this, page.stage);
    connectCurves(this, page.curves);
    new ResizeObserver(() => this.change()).observe(document.body);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.looked = undefined;
      this.change();
    });
    page.begin.addEventListener("click", () => this.toggle());
    this.change();
  }

  prepare() {
    const { page, data, clock } = this;
    const still = clock.duration === 0;
    Object.assign(page.scrub, { min: 0, max: clock.duration, step: "any", value: 0, disabled: still });
    for (const button of [page.play, page.start, page.back, page.forth, page.begin]) button.disabled = still;
    page.begin.hidden = still;
    page.together.hidden = data.layout !== "ghost" || this.bodies.length < 2;
    page.panel.setAttribute("aria-pressed", String(!data.curve.hidden));
    page.curve.hidden = data.curve.hidden;
    const speeds = [...new Set([...SPEEDS, data.speed])].sort((a, b) => a - b);
    page.speed.replaceChildren(...speeds.map((speed) => new Option(`${speed}\u00d7`, speed, false, speed === data.speed)));
    this.prepareCurves();
    this.prepareMarks();
  }

  prepareCurves() {
    const { page, data } = this;
    const { joints } = this.motions[0].body;
    const { curve } = data;
    const options = joints.map((name, joint) => new Option(name, joint));
    if (curve.joints.length) options.unshift(new Option(curve.joints.map((joint) => joints[joint]).join(", "), "given"));
    if (curve.values.length) options.unshift(new Option(curve.values.map(({ name }) => name).join(", "), "values"));
    page.joint.replaceChildren(...options);
    page.quantity.value = curve.quantity;
    if (!options.length) page.joint.disabled = page.quantity.disabled = true;
    else this.chooseCurve(page.joint.value, curve.quantity);
  }

  // A tick above the scrub bar for every named moment of the first clip.
  prepareMarks() {
    const { page, clock } = this;
    for (const { name, times } of this.motions[0].body.markers) {
      for (const time of times) {
        const mark = document.createElement("i");
        mark.title = `${name}, ${time.toFixed(2)} s`;
        mark.addEventListener("click", () => this.seek(time));
        mark.style.left = `${(100 * time) / (clock.duration || 1)}%`;
        page.marks.append(mark);
      }
    }
  }

  // Something is different: draw before the screen is shown next.
  change() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => {
      this.waiting = false;
      this.frame(now);
    });
  }

  frame(now) {
    if (this.clock.playing) {
      // After a pause of the page itself (another tab) the motion goes on, it does not jump.
      this.clock.advance(Math.min((now - (this.last ?? now)) / 1000, 0.25));
      this.last = now;
      this.change();
    } else this.last = undefined;
    const began = performance.now();
    this.draw();
    this.work.push(performance.now() - began);
    if (this.work.length > 240) this.work.shift();
  }

  draw() {
    this.look();
    this.stage.draw(this.clock.now, this.theme);
    if (!this.page.curve.hidden) this.curves.draw(this.clock, this.theme);
    this.tell();
  }

  // Light or dark? A notebook may change while the player is open; asking is slow, so not for every frame.
  look() {
    const now = performance.now();
    if (now - this.looked < 1000) return;
    this.looked = now;
    const dark = isDark(this.data.theme);
    if (this.theme?.dark !== dark) this.theme = { ...themeOf(dark, this.data.colors), dark };
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }

  // The controls as things stand.
  tell() {
    const { page, clock } = this;
    const { body } = this.motions[0];
    const frame = body.frames ? Math.min(Math.floor(this.motions[0].local(clock.now).time / body.frameTime + 1e-6), body.frames - 1) : 0;
    page.scrub.value = clock.time;
    page.scrub.style.setProperty("--way", `${clock.duration ? (100 * clock.time) / clock.duration : 0}%`);
    page.scrub.setAttribute("aria-valuetext", `${clock.time.toFixed(2)} seconds, frame ${frame}`);
    page.time.textContent = `${clock.time.toFixed(2)} / ${clock.duration.toFixed(2)} s \u00b7 frame ${frame} of ${body.frames}`;
    page.play.dataset.state = clock.playing ? "playing" : "paused";
    page.play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    page.loop.setAttribute("aria-pressed", String(clock.repeating));
    page.follow.setAttribute("aria-pressed", String(this.stage.following));
    page.trail.setAttribute("aria-pressed", String(this.stage.trailing));
    page.together.setAttribute("aria-pressed", String(this.stage.together));
  }

  // ------------------------------------------------------------------------------------------------------------ what a person may do

  toggle() {
    if (this.clock.playing) this.clock.pause();
    else this.clock.play();
    this.page.begin.hidden = true;
    this.change();
  }

  seek(time) {
    this.clock.seek(time);
    this.change();
  }

  restart() {
    this.clock.restart();
    this.change();
  }

  // To the frame before or after.
  step(count) {
    const { frameTime } = this.motions[0].body;
    this.clock.pause();
    const at = this.clock.time / frameTime;
    this.seek((count < 0 ? Math.ceil(at - 1e-6) : Math.floor(at + 1e-6)) * frameTime + count * frameTime);
  }

  setSpeed(speed) {
    this.clock.speed = speed;
    this.page.speed.value = speed;
  }

  changeSpeed(by) {
    const speeds = [...this.page.speed.options].map((option) => Number(option.value));
    const at = Math.min(Math.max(speeds.indexOf(this.clock.speed) + by, 0), speeds.length - 1);
    this.setSpeed(speeds[at]);
  }

  toggleLoop() {
    this.clock.repeating = !this.clock.repeating;
    this.change();
  }

  toggleFollow() {
    this.stage.following = !this.stage.following;
    this.change();
  }

  toggleTrail() {
    this.stage.trailing = !this.stage.trailing;
    this.change();
  }

  toggleTogether() {
    if (this.page.together.hidden) return;
    this.stage.together = !this.stage.together;
    this.change();
  }

  toggleCurves() {
    this.page.curve.hidden = !this.page.curve.hidden;
    this.page.panel.setAttribute("aria-pressed", String(!this.page.curve.hidden));
    this.change();
  }

  chooseCurve(joint, quantity) {
    Object.assign(this.curves, { choice: joint, quantity });
    this.page.quantity.disabled = joint === "values";
    this.change();
  }

  orbit(dx, dy) {
    this.camera.orbit(dx, dy);
    this.change();
  }

  pan(dx, dy) {
    this.camera.shift(dx, dy);
    this.change();
  }

  zoom(factor) {
    this.camera.magnify(factor);
    this.change();
  }

  resetCamera() {
    this.camera.reset();
    this.change();
  }

  // Things as they stand, as numbers, to look at from outside.
  state() {
    const { clock, camera, stage, work } = this;
    return {
      time: clock.time,
      round: clock.round,
      duration: clock.duration,
      playing: clock.playing,
      speed: clock.speed,
      repeating: clock.repeating,
      following: stage.following,
      trailing: stage.trailing,
      together: stage.together,
      camera: { azimuth: camera.azimuth, elevation: camera.elevation, zoom: camera.zoom, pan: [...camera.pan] },
      points: this.bodies.map((body) => [...(body.points ?? [])]),
      lit: this.bodies.map((body) => [...(body.lit ?? [])]),
      curve: this.curves.series.map(({ label, values }) => ({ label, values: [...values.slice(0, 1000)] })),
      work: [...work],
    };
  }
}

// The joints of another body that have the names of those of the first.
function trailsOf(motion, first, trails) {
  return trails.map((joint) => motion.body.joints.indexOf(first.body.joints[joint])).filter((joint) => joint >= 0);
}

window.canterPlayer = Player.start().then(
  (player) => ({ state: () => player.state() }),
  (error) => {
    document.getElementById("message").textContent = `This page cannot be played: ${error.message}`;
    throw error;
  },
);
