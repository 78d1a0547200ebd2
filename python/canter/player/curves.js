// Curves over time under the stage, with a line where the time is. Heights, speeds and angles of joints are worked out from the points.

// The value of a joint at every sample of a motion; NaN where a joint has none.
const QUANTITIES = {
  height: (motion, joint) => samplesOf(motion, (i) => motion.point(i, joint, 1) - motion.body.ground),

  speed(motion, joint) {
    const { samples, sampleTime } = motion.body;
    return samplesOf(motion, (i) => {
      const [a, b] = [Math.max(i - 1, 0), Math.min(i + 1, samples - 1)];
      return a === b ? 0 : distance(motion, a, joint, b, joint) / ((b - a) * sampleTime);
    });
  },

  // How far a limb is from straight at the joint, in degrees.
  angle(motion, joint) {
    const { body } = motion;
    const before = body.parents[joint];
    const after = (body.limbs.find(([from]) => from === joint) ?? [])[1];
    if (before < 0 || after === undefined) return samplesOf(motion, () => NaN);
    return samplesOf(motion, (i) => {
      const [a, b] = [distance(motion, i, before, i, joint), distance(motion, i, joint, i, after)];
      const c = distance(motion, i, before, i, after);
      const cosine = a * b > 0 ? (c * c - a * a - b * b) / (2 * a * b) : 1;
      return (Math.acos(Math.min(Math.max(cosine, -1), 1)) * 180) / Math.PI;
    });
  },
};

function samplesOf(motion, value) {
  return Float32Array.from({ length: motion.body.samples }, (_, i) => value(i));
}

function distance(motion, sample, joint, otherSample, other) {
  let sum = 0;
  for (let axis = 0; axis < 3; ++axis) sum += (motion.point(sample, joint, axis) - motion.point(otherSample, other, axis)) ** 2;
  return Math.sqrt(sum);
}

function unitOf(quantity, unit) {
  if (quantity === "angle") return "\u00b0";
  return quantity === "speed" && unit ? `${unit}/s` : unit;
}

const FONT = "11px system-ui, sans-serif";

class Curves {
  static WHOLE = 20; // seconds that are shown at once; of longer clips, a part
  static PART = 10;
  static MARGIN = { left: 46, right: 12, top: 30, bottom: 6 };
  static CHOICES = 270; // pixels that the lists take at the right; the values go below them where there is no room beside
  static BAND = 5; // pixels, for a contact

  // Lines are drawn once on `lines` and stay while the time moves over them on `canvas`.
  constructor(lines, canvas, motions, options) {
    Object.assign(this, { lines, canvas, motions, options, cache: new Map() });
    this.quantity = options.curve.quantity;
    this.choice = options.curve.values.length ? "values" : "given";
  }

  // The curves to draw: {label, name (the label within its clip), values, motion, color, dashed, every (seconds between values)}.
  get series() {
    const key = `${this.choice} ${this.quantity}`;
    if (!this.cache.has(key)) this.cache.set(key, this.choice === "values" ? this.givenValues() : this.ofJoints());
    return this.cache.get(key);
  }

  givenValues() {
    const [motion] = this.motions;
    const { values } = this.options.curve;
    const colors = this.options.colors.bodies;
    return values.map(({ name, values }, i) => ({
      label: name, name, values, motion, color: colors[i % colors.length], dashed: false, every: motion.body.frameTime,
    }));
  }

  ofJoints() {
    const chosen = this.choice === "given" ? this.options.curve.joints : [Number(this.choice)];
    const names = chosen.map((joint) => this.motions[0].body.joints[joint]);
    const { bodies, sides } = this.options.colors;
    return this.motions.flatMap((motion, k) =>
      names.flatMap((name) => {
        const joint = motion.body.joints.indexOf(name);
        if (joint < 0) return [];
        const side = motion.body.sides[joint];
        return [{
          label: this.motions.length > 1 ? `${motion.body.name}: ${name}` : name,
          name,
          values: QUANTITIES[this.quantity](motion, joint),
          motion,
          color: this.motions.length > 1 ? bodies[k % bodies.length] : sides[side],
          dashed: this.motions.length > 1 && side === "right",
          every: motion.body.sampleTime,
        }];
      }),
    );
  }

  get narrow() {
    return this.canvas.clientWidth < 560;
  }

  // Seconds from the left to the right edge.
  span(clock) {
    if (clock.duration <= Curves.WHOLE) return [0, Math.max(clock.duration, 1e-9)];
    const from = Math.min(Math.floor(clock.time / Curves.PART) * Curves.PART, clock.duration - Curves.PART);
    return [from, from + Curves.PART];
  }

  timeAt(x, clock) {
    const { left, right } = Curves.MARGIN;
    const [from, to] = this.span(clock);
    const way = (x - left) / (this.canvas.clientWidth - left - right);
    return from + (to - from) * Math.min(Math.max(way, 0), 1);
  }

  range(series) {
    const values = series.flatMap(({ values }) => [extreme(values, Math.min), extreme(values, Math.max)]).filter(Number.isFinite);
    if (!values.length) return null;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const room = 0.08 * (high - low) || 0.5 * Math.abs(high) || 0.5;
    return [low - room, high + room];
  }

  draw(clock, theme) {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const { left, right, bottom } = Curves.MARGIN;
    const top = Curves.MARGIN.top + (this.narrow ? 18 : 0);
    const bands = this.motions[0].body.contacts.length * (Curves.BAND + 1);
    const box = { x: left, y: top, width: width - left - right, height: height - top - bottom - bands };
    const [from, to] = this.span(clock);
    const { series } = this;
    series.range ??= this.range(series);
    const [low, high] = series.range ?? [0, 1];
    const scale = {
      x: (time) => box.x + ((time - from) / (to - from)) * box.width,
      y: (value) => box.y + box.height - ((value - low) / (high - low)) * box.height,
      time: [from, to],
      value: [low, high],
    };
    const drawn = [this.choice, this.quantity, width, height, from, clock.now - clock.time, theme.dark].join();
    if (drawn !== this.drawn) this.drawLines(fitted(this.lines), clock, theme, box, scale);
    this.drawn = drawn;
    this.drawTime(fitted(this.canvas), clock, theme, box, scale);
  }

  drawLines(context, clock, theme, box, scale) {
    const { series } = this;
    this.drawContacts(context, box, scale, clock);
    if (!series.range) return;
    this.drawScale(context, theme, box, scale);
    for (const one of series) this.drawCurve(context, theme, one, scale, clock);
  }

  drawTime(context, clock, theme, box, scale) {
    const x = scale.x(clock.time);
    context.strokeStyle = theme.text;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, box.y - 2);
    context.lineTo(x, this.canvas.clientHeight - Curves.MARGIN.bottom);
    context.stroke();
    const readings = this.series.map((one) => ({ ...one, value: this.valueAt(one, clock.now) }));
    this.drawReadings(context, theme, box, x, scale, readings.filter(({ value }) => Number.isFinite(value)));
  }

  valueAt({ values, motion, every }, now) {
    const { first, second, way } = neighbours(motion.local(now).time / every, values.length);
    return values[first] + (values[second] - values[first]) * way;
  }

  // Of the first clip, as often as it goes round.
  drawContacts(context, box, scale, clock) {
    const [from, to] = scale.time;
    const { body } = this.motions[0];
    const before = clock.now - clock.time;
    const rounds = body.loop ? [from, to].map((time) => Math.floor((time + before) / body.duration)) : [0, 0];
    body.contacts.forEach((contact, k) => {
      context.fillStyle = this.options.colors.sides[body.sides[contact.joints[0]] ?? "middle"];
      const y = box.y + box.height + 3 + k * (Curves.BAND + 1);
      for (let round = rounds[0]; round <= rounds[1]; ++round) {
        const shift = round * body.duration - before;
        for (const [start, end] of contact.spans) {
          const [x0, x1] = [scale.x(Math.max(start + shift, from)), scale.x(Math.min(end + shift, to))];
          if (x1 > x0) context.fillRect(x0, y, x1 - x0, Curves.BAND);
        }
      }
    });
  }

  drawScale(context, theme, box, scale) {
    const [low, high] = scale.value;
    context.font = FONT;
    const step = roundNear((high - low) / 3);
    const digits = digitsOf(step);
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.lineWidth = 1;
    for (let k = Math.ceil(low / step); k * step <= high; ++k) {
      const y = Math.round(scale.y(k * step)) + 0.5;
      context.strokeStyle = theme.grid;
      context.beginPath();
      context.moveTo(box.x, y);
      context.lineTo(box.x + box.width, y);
      context.stroke();
      context.fillStyle = theme.faint;
      context.fillText((k * step).toFixed(digits), box.x - 5, y);
    }
  }

  drawCurve(context, theme, one, scale, clock) {
    const { color, dashed, every, motion } = one;
    const [from, to] = scale.time;
    const end = motion.body.loop ? to : Math.min(to, motion.body.duration);
    const before = clock.now - clock.time;
    context.strokeStyle = theme.readable(color);
    context.lineWidth = 1.75;
    context.lineJoin = "round";
    context.setLineDash(dashed ? [5, 3] : []);
    context.beginPath();
    // At the values themselves, and at both ends.
    const lineTo = (time, seen) => context.lineTo(scale.x(time), scale.y(this.valueAt(one, seen + before)));
    lineTo(from, from);
    for (let i = Math.floor(from / every) + 1; i * every < end; ++i) lineTo(i * every, i * every);
    if (end > from) lineTo(end, end - 1e-9); // a loop would be at its start again
    context.stroke();
    context.setLineDash([]);
  }

  // Dots on the line of the time; the values in the line above.
  drawReadings(context, theme, box, x, scale, readings) {
    const digits = digitsOf((scale.value[1] - scale.value[0]) / 100);
    const unit = this.choice === "values" ? "" : unitOf(this.quantity, this.options.unit);
    context.font = FONT;
    context.textAlign = "left";
    context.textBaseline = "top";
    const end = box.x + box.width - (this.narrow ? 0 : Curves.CHOICES);
    let [at, told] = [box.x, null];
    for (const { label, name, value, color, motion } of readings) {
      context.fillStyle = theme.readable(color);
      context.beginPath();
      context.arc(x, scale.y(value), 3.5, 0, 2 * Math.PI);
      context.fill();
      const text = `${motion === told ? name : label} ${value.toFixed(digits)}${unit === "\u00b0" ? unit : unit && ` ${unit}`}`;
      if (at + context.measureText(text).width > end) continue;
      context.fillText(text, at, this.narrow ? 29 : 8);
      at += context.measureText(text).width + 14;
      told = motion; // its name need not come again
    }
  }
}

// Digits after the point that tell steps apart.
function digitsOf(step) {
  return Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 9);
}

function extreme(values, pick) {
  let found = NaN;
  for (const value of values) if (!Number.isNaN(value)) found = Number.isNaN(found) ? value : pick(found, value);
  return found;
}
