// What a body does over time: its points (joints, then tips), unpacked, anywhere between two samples and in any round of a loop.

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Planes of bytes, the lowest first, of second differences between rows: the rows again. Sums wrap around as the differences did.
function rowsOf(planes, size, width) {
  const count = planes.length / size;
  const rows = size === 2 ? new Int16Array(count) : new Int32Array(count);
  const change = new Int32Array(width);
  for (let i = 0, k = 0; i < count; ++i, k = k + 1 === width ? 0 : k + 1) {
    let bend = 0;
    for (let b = 0; b < size; ++b) bend |= planes[b * count + i] << (8 * b);
    change[k] += bend;
    rows[i] = (i < width ? 0 : rows[i - width]) + change[k];
  }
  return rows;
}

// The two of so many samples around a place among them, and how far it is from the first to the second.
function neighbours(place, count) {
  const at = Math.min(Math.max(place, 0), count - 1);
  const first = Math.floor(at + 1e-6);
  return { first, second: Math.min(first + 1, count - 1), way: Math.max(0, at - first) };
}

class Motion {
  static async unpack(body) {
    const planes = await inflate(bytesOf(body.steps));
    const centres = new Float32Array(bytesOf(body.centres).buffer);
    return new Motion(body, centres, rowsOf(planes, body.bytes, 3 * body.points));
  }

  constructor(body, centres, steps) {
    Object.assign(this, { body, centres, steps });
    this.points = new Float64Array(3 * body.points); // of the last pose that was asked for
    this.rounds = new Map();
  }

  get empty() {
    return this.body.samples === 0;
  }

  // Where a clock that goes on for ever stands in this clip: seconds from its start, and how often it has gone round.
  local(clock) {
    const { duration, loop } = this.body;
    if (!loop || duration === 0) return { time: Math.min(Math.max(clock, 0), duration), round: 0 };
    const round = Math.floor(clock / duration);
    return { time: clock - round * duration, round };
  }

  between(time) {
    return neighbours(time / this.body.sampleTime, this.body.samples);
  }

  // All points at a time of the clock, in `points`.
  pose(clock) {
    const { time, round } = this.local(clock);
    const { first, second, way } = this.between(time);
    const { step, points: count } = this.body;
    const { steps, centres, points } = this;
    for (let k = 0; k < 3; ++k) {
      const centre = centres[3 * first + k] * (1 - way) + centres[3 * second + k] * way;
      for (let i = k, a = 3 * count * first + k, b = 3 * count * second + k; i < points.length; i += 3, a += 3, b += 3) {
        points[i] = centre + step * (steps[a] + (steps[b] - steps[a]) * way);
      }
    }
    if (round !== 0) this.carry(points, round);
    return points;
  }

  // One point at one sample of the first round.
  point(sample, index, axis) {
    return this.centres[3 * sample + axis] + this.body.step * this.steps[3 * (this.body.points * sample + index) + axis];
  }

  // One point at a time of the clock.
  pointAt(clock, index) {
    const { time, round } = this.local(clock);
    const { first, second, way } = this.between(time);
    const at = [0, 1, 2].map((axis) => this.point(first, index, axis) * (1 - way) + this.point(second, index, axis) * way);
    if (round !== 0) this.carry(at, round);
    return at;
  }

  // Where the body is around a time, without its sway: what a camera follows.
  place(clock) {
    const half = 4;
    const sum = [0, 0, 0];
    for (let k = -half; k <= half; ++k) {
      const { time } = this.local(clock + k * 0.1);
      const [x, , z] = this.pointAt(clock + k * 0.1, this.body.root);
      const middle = this.centres[3 * this.between(time).first + 1];
      [x, middle, z].forEach((value, axis) => (sum[axis] += value / (2 * half + 1)));
    }
    return sum;
  }

  // Points of the first round, moved on to another.
  carry(points, round) {
    const { start } = this.body.loop;
    const { cos, sin, end } = this.roundOf(round);
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i] - start[0];
      const z = points[i + 2] - start[1];
      points[i] = end[0] + cos * x + sin * z;
      points[i + 2] = end[1] - sin * x + cos * z;
    }
  }

  // The turn about `start` and the place of `start` after so many rounds.
  roundOf(round) {
    const known = this.rounds.get(round);
    if (known) return known;
    const { start, end, turn } = this.body.loop;
    const way = round < 0 ? -1 : 1;
    const cos = Math.cos(way * turn);
    const sin = Math.sin(way * turn);
    // One round back is the inverse: what is at `end` comes to `start`.
    const x = start[0] - end[0];
    const z = start[1] - end[1];
    const once = way > 0 ? end : [start[0] + cos * x + sin * z, start[1] - sin * x + cos * z];
    let place = start;
    for (let k = 0; k !== round; k += way) {
      const dx = place[0] - start[0];
      const dz = place[1] - start[1];
      place = [once[0] + cos * dx + sin * dz, once[1] - sin * dx + cos * dz];
    }
    const found = { cos: Math.cos(round * turn), sin: Math.sin(round * turn), end: place };
    this.rounds.set(round, found);
    return found;
  }
}
