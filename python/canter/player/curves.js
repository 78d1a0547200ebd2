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
      const [a, b, c] = [distance(motion, i, before, i, joint), distance(motion, i, joint, i, after), distance(motion, i, before, i, after)];
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

class Curves {
  static WHOLE = 20; // seconds that are shown at once; of longer clips, a part around the time
  static PART = 10;
  static MARGIN = { left: 46, right: 12, top: 30, bottom: 6 };
  static CHOICES = 270; // pixels that the lists take at the right; the values go below them where there is no room beside
  static BAND = 5; // pixels, for a contact

  constructor(canvas, motions, options) {
    Object.assign(this, { canvas, motions, options, cache: new Map() });
    this.quantity = options.curve.quantity;
    this.choice = options.curve.values.length ? "values" : "given";
  }

  // The curves to draw: {label, values, motion, color, dashed, every (seconds between values)}.
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
      label: name, values, motion, color: colors[i % colors.length], dashed: false, every: motion.body.frameTime,
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
    const from = Math.min(Math.max(clock.time - Curves.PART / 2, 0), clock.duration - Curves.PART);
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
    const context = fitted(this.canvas);
    const { series } = this;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const { left, right, bottom } = Curves.MARGIN;
    const top = Curves.MARGIN.top + (this.narrow ? 18 : 0);
    const bands = this.motions[0].body.contacts.length * (Curves.BAND + 1);
    const box = { x: left, y: top, width: width - left - right, height: height - top - bottom - bands };
    const [from, to] = this.span(clock);
    const xOf = (time) => box.x + ((time - from) / (to - from)) * box.width;
    const readings = [];
    let digits = 0;

    context.font = "11px system-ui, sans-serif";
    this.drawContacts(context, box, xOf, clock, [from, to]);
    series.range ??= this.range(series);
    if (series.range) {
      const [low, high] = series.range;
      digits = digitsOf((high - low) / 100);
      const yOf = (value) => box.y + box.height - ((value - low) / (high - low)) * box.height;
      this.drawScale(context, theme, box, yOf, low, high);
      for (const one of series) {
        this.drawCurve(context, theme, one, xOf, yOf, clock, [from, to]);
        const value = this.valueAt(one, clock.now);
        if (Number.isFinite(value)) readings.push({ ...one, value, y: yOf(value) });
      }
    }
    context.strokeStyle = theme.text;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(xOf(clock.time), box.y - 2);
    context.lineTo(xOf(clock.time), height - bottom);
    context.stroke();
    this.drawReadings(context, theme, box, xOf(clock.time), readings, digits);
  }

  valueAt({ values, motion, every }, now) {
    const at = Math.min(motion.local(now).time / every, values.length - 1);
    const first = Math.floor(at + 1e-6);
    const second = Math.min(first + 1, values.length - 1);
    return values[first] + (values[second] - values[first]) * Math.max(0, at - first);
  }

  // Of the first clip, as often as it goes round.
  drawContacts(context, box, xOf, clock, [from, to]) {
    const { body } = this.motions[0];
    const before = clock.now - clock.time;
    const rounds = body.loop ? [from, to].map((time) => Math.floor((time + before) / body.duration)) : [0, 0];
    body.contacts.forEach((contact, k) => {
      context.fillStyle = this.options.colors.sides[body.sides[contact.joints[0]] ?? "middle"];
      const y = box.y + box.height + 3 + k * (Curves.BAND + 1);
      for (let round = rounds[0]; round <= rounds[1]; ++round) {
        const shift = round * body.duration - before;
        for (const [start, end] of contact.spans) {
          const [x0, x1] = [xOf(Math.max(start + shift, from)), xOf(Math.min(end + shift, to))];
          if (x1 > x0) context.fillRect(x0, y, x1 - x0, Curves.BAND);
        }
      }
    });
  }

  drawScale(context, theme, box, yOf, low, high) {
    const step = roundNear((high - low) / 3);
    const digits = digitsOf(step);
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.lineWidth = 1;
    for (let k = Math.ceil(low / step); k * step <= high; ++k) {
      const y = Math.round(yOf(k * step)) + 0.5;
      context.strokeStyle = theme.grid;
      context.beginPath();
      context.moveTo(box.x, y);
      context.lineTo(box.x + box.width, y);
      context.stroke();
      context.fillStyle = theme.faint;
      context.fillText((k * step).toFixed(digits), box.x - 5, y);
    }
  }

  drawCurve(context, theme, one, xOf, yOf, clock, [from, to]) {
    const { color, dashed, every, motion } = one;
    const end = motion.body.loop ? to : Math.min(to, motion.body.duration);
    context.strokeStyle = theme.readable(color);
    context.lineWidth = 1.75;
    context.lineJoin = "round";
    context.setLineDash(dashed ? [5, 3] : []);
    context.beginPath();
    // At the values themselves, and at both ends.
    const before = clock.now - clock.time;
    const first = Math.floor(from / every) + 1;
    context.moveTo(xOf(from), yOf(this.valueAt(one, from + before)));
    for (let i = first; i * every < end; ++i) context.lineTo(xOf(i * every), yOf(this.valueAt(one, i * every + before)));
    context.lineTo(xOf(end), yOf(this.valueAt(one, end + before - 1e-9)));
    context.stroke();
    context.setLineDash([]);
  }

  // Dots on the line of the time; the values in the line above.
  drawReadings(context, theme, box, x, readings, digits) {
    const unit = this.choice === "values" ? "" : unitOf(this.quantity, this.options.unit);
    context.textAlign = "left";
    context.textBaseline = "top";
    const end = box.x + box.width - (this.narrow ? 0 : Curves.CHOICES);
    let at = box.x;
    for (const { label, value, y, color } of readings) {
      context.fillStyle = theme.readable(color);
      context.beginPath();
      context.arc(x, y, 3.5, 0, 2 * Math.PI);
      context.fill();
      const text = `${label} ${value.toFixed(digits)}${unit === "\u00b0" ? unit : unit && ` ${unit}`}`;
      if (at + context.measureText(text).width > end) continue;
      context.fillText(text, at, this.narrow ? 29 : 8);
      at += context.measureText(text).width + 14;
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
