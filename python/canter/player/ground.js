// The ground: a grid that fades away from where the camera looks, and lines on it.

// A round number (1, 2 or 5 times a power of ten) near a length.
function roundNear(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return power * [1, 2, 5, 10].reduce((best, digit) => (Math.abs(digit * power - length) < Math.abs(best * power - length) ? digit : best));
}

class Ground {
  static FADES = 8;
  static CELLS = 9; // from the middle to the edge

  constructor(size, height) {
    this.height = height;
    this.step = roundNear(0.3 * size);
  }

  draw(context, camera, color) {
    const { step, height } = this;
    const { CELLS, FADES } = Ground;
    const middle = [Math.round(camera.target[0] / step), Math.round(camera.target[2] / step)];
    const paths = Array.from({ length: FADES }, () => new Path2D());
    const [from, to] = [{}, {}];
    const line = (x0, z0, x1, z1) => {
      const away = Math.hypot((x0 + x1) / 2 - camera.target[0], (z0 + z1) / 2 - camera.target[2]) / (CELLS * step);
      const fade = Math.floor(away * FADES);
      if (fade >= FADES) return;
      if (!camera.project(x0, height, z0, from) || !camera.project(x1, height, z1, to)) return;
      paths[fade].moveTo(from.x, from.y);
      paths[fade].lineTo(to.x, to.y);
    };
    for (let i = -CELLS; i <= CELLS; ++i) {
      for (let k = -CELLS; k < CELLS; ++k) {
        const [x, z] = [(middle[0] + i) * step, (middle[1] + k) * step];
        line(x, z, x, z + step);
        const [u, v] = [(middle[0] + k) * step, (middle[1] + i) * step];
        line(u, v, u + step, v);
      }
    }
    context.strokeStyle = color;
    context.lineWidth = 1;
    paths.forEach((path, fade) => {
      context.globalAlpha = 1 - fade / FADES;
      context.stroke(path);
    });
    context.globalAlpha = 1;
  }
}

// A line through points {x, y, z} of an array of numbers.
function polyline(context, camera, points) {
  const at = {};
  let drawing = false;
  context.beginPath();
  for (let i = 0; i < points.length; i += 3) {
    if (!camera.project(points[i], points[i + 1], points[i + 2], at)) drawing = false;
    else if (drawing) context.lineTo(at.x, at.y);
    else {
      context.moveTo(at.x, at.y);
      drawing = true;
    }
  }
  context.stroke();
}
