// What time it is. `time` goes from 0 to `duration`; where every clip loops, `now` goes on from round to round.

class Clock {
  constructor(duration, endless, speed) {
    Object.assign(this, { duration, endless, speed, time: 0, round: 0, playing: false, repeating: true });
  }

  get now() {
    return this.time + (this.endless ? this.round * this.duration : 0);
  }

  play() {
    if (this.duration === 0) return;
    if (!this.repeating && this.time >= this.duration) this.time = 0;
    this.playing = true;
  }

  pause() {
    this.playing = false;
  }

  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.duration);
  }

  restart() {
    this.time = 0;
    this.round = 0;
  }

  advance(seconds) {
    this.time += seconds * this.speed;
    if (this.time < this.duration) return;
    if (this.repeating) {
      this.round += Math.floor(this.time / this.duration);
      this.time %= this.duration;
    } else {
      this.time = this.duration;
      this.pause();
    }
  }
}
