// Canvases in units of CSS pixels.

// The context of a canvas, cleared, with as many pixels as the screen has where it is shown.
function fitted(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  return context;
}

// As much of a text as fits.
function fittedText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}\u2026`).width > width) --length;
  return `${text.slice(0, length)}\u2026`;
}

// Two circles and the lines that touch both.
function capsule(path, x0, y0, r0, x1, y1, r1) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length <= Math.abs(r0 - r1) + 1e-6) {
    const [x, y, r] = r0 > r1 ? [x0, y0, r0] : [x1, y1, r1];
    path.moveTo(x + r, y);
    path.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  const angle = Math.atan2(y1 - y0, x1 - x0);
  const open = Math.acos((r0 - r1) / length);
  path.moveTo(x0 + r0 * Math.cos(angle + open), y0 + r0 * Math.sin(angle + open));
  path.arc(x0, y0, r0, angle + open, angle - open + 2 * Math.PI);
  path.arc(x1, y1, r1, angle - open, angle + open);
  path.closePath();
}
