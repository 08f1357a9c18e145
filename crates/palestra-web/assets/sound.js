// Sounds, made of a few oscillators and noise. Off until a person switches them on; never the only sign of anything.

import { setSetting, setting } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** Whether sounds are on. */
export const isOn = () => setting("sound") === true;

/** Switches them on or off, for good. @param {boolean} on */
export function setOn(on) {
  setSetting("sound", on);
  if (on) sound("knock");
}

/** Plays a sound. @param {"knock" | "seed" | "thud" | "burst" | "turn" | "tick" | "end"} name */
export function sound(name) {
  if (!isOn() || !SOUNDS[name]) return;
  try {
    context ??= new AudioContext();
    // A browser lets nothing be heard before the first click: what is late by then is not worth hearing.
    if (context.state === "suspended") context.resume();
    SOUNDS[name](context, context.currentTime);
  } catch {
    // A machine without sound plays as well.
  }
}

/** @type {Record<string, (audio: AudioContext, now: number) => void>} */
const SOUNDS = {
  knock: (audio, now) => {
    tone(audio, now, { from: 320, to: 180, length: 0.09, loud: 0.22, shape: "triangle" });
    noise(audio, now, { low: 1400, length: 0.03, loud: 0.12 });
  },
  seed: (audio, now) => {
    tone(audio, now, { from: 760 + Math.random() * 120, to: 520, length: 0.05, loud: 0.1, shape: "triangle" });
  },
  thud: (audio, now) => {
    tone(audio, now, { from: 150, to: 62, length: 0.18, loud: 0.4, shape: "sine" });
    noise(audio, now, { low: 500, length: 0.05, loud: 0.12 });
  },
  burst: (audio, now) => {
    tone(audio, now, { from: 110, to: 38, length: 0.36, loud: 0.4, shape: "sine" });
    noise(audio, now, { low: 900, length: 0.34, loud: 0.35 });
  },
  turn: (audio, now) => {
    tone(audio, now, { from: 523, to: 523, length: 0.16, loud: 0.12, shape: "sine" });
    tone(audio, now + 0.12, { from: 659, to: 659, length: 0.22, loud: 0.12, shape: "sine" });
  },
  tick: (audio, now) => {
    tone(audio, now, { from: 1250, to: 1150, length: 0.03, loud: 0.08, shape: "square" });
  },
  end: (audio, now) => {
    tone(audio, now, { from: 392, to: 392, length: 0.38, loud: 0.13, shape: "sine" });
    tone(audio, now, { from: 588, to: 588, length: 0.38, loud: 0.1, shape: "sine" });
  },
};

/**
 * A gain that begins at once and dies away.
 * @param {AudioContext} audio @param {number} now @param {number} length @param {number} loud
 */
function fading(audio, now, length, loud) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loud, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + length);
  gain.connect(audio.destination);
  return gain;
}

/**
 * @param {AudioContext} audio @param {number} now
 * @param {{ from: number, to: number, length: number, loud: number, shape: OscillatorType }} wave
 */
function tone(audio, now, { from, to, length, loud, shape }) {
  const oscillator = audio.createOscillator();
  oscillator.type = shape;
  oscillator.frequency.setValueAtTime(from, now);
  oscillator.frequency.exponentialRampToValueAtTime(to, now + length);
  oscillator.connect(fading(audio, now, length, loud));
  oscillator.start(now);
  oscillator.stop(now + length);
}

/** @param {AudioContext} audio @param {number} now @param {{ low: number, length: number, loud: number }} burst */
function noise(audio, now, { low, length, loud }) {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.value = low;
  source.connect(filter).connect(fading(audio, now, length, loud));
  source.start(now);
}
