/**
 * Short sounds, made here, off unless asked for.
 *
 * Knows: which sound is which. A browser plays none before the player did something, and may have no sound at all.
 * Does not know: what happened in the game.
 */

import { settings } from "./settings.js";

/** @typedef {[pitch: number, begin: number, length: number, loudness: number, shape: OscillatorType]} Tone */

/**
 * Each a list of tones: pitch in hertz, begin and length in seconds, loudness, shape.
 * @type {Record<string, Tone[]>}
 */
const SOUNDS = {
  reveal: [[620, 0, 0.05, 0.12, "sine"]],
  cascade: [[520, 0, 0.06, 0.1, "sine"], [660, 0.05, 0.06, 0.1, "sine"], [820, 0.1, 0.08, 0.1, "sine"]],
  flag: [[880, 0, 0.05, 0.1, "triangle"]],
  unflag: [[660, 0, 0.05, 0.1, "triangle"]],
  chord: [[560, 0, 0.05, 0.1, "sine"], [700, 0.05, 0.06, 0.1, "sine"]],
  hint: [[740, 0, 0.12, 0.08, "sine"], [990, 0.1, 0.16, 0.08, "sine"]],
  error: [[220, 0, 0.09, 0.12, "triangle"]],
  win: [
    [523, 0, 0.14, 0.14, "sine"],
    [659, 0.13, 0.14, 0.14, "sine"],
    [784, 0.26, 0.14, 0.14, "sine"],
    [1047, 0.39, 0.34, 0.14, "sine"],
  ],
  loss: [[180, 0, 0.18, 0.24, "sawtooth"], [110, 0.12, 0.4, 0.2, "sine"]],
};

/** @type {AudioContext | null} */
let context = null;

/** @param {AudioContext} output @param {Tone} tone */
function sound(output, [pitch, begin, length, loudness, shape]) {
  const at = output.currentTime + begin;
  const source = new OscillatorNode(output, { type: shape, frequency: pitch });
  const volume = new GainNode(output, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(loudness, at + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(volume).connect(output.destination);
  source.start(at);
  source.stop(at + length + 0.02);
}

/** Plays a sound if sounds are on. @param {string} name */
export function play(name) {
  if (!settings.get("sound") || !Object.hasOwn(SOUNDS, name)) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") context.resume();
    for (const tone of SOUNDS[name]) sound(context, tone);
  } catch {
    context = null;
  }
}
