// Small wooden sounds, made on the spot: no files to load.

import { prefs } from './prefs.svelte';

export type Sound = 'push' | 'fall' | 'line' | 'win' | 'end' | 'turn';

let context: AudioContext | null = null;

export function play(sound: Sound, after = 0): void {
  if (!prefs.sound || !navigator.userActivation?.hasBeenActive) return; // browsers keep silent until a first gesture
  context ??= new AudioContext();
  const at = context.currentTime + after / 1000;
  if (sound === 'push') {
    knock(context, at, 1900, 0.03, 0.35);
    tone(context, at + 0.01, 170, 95, 0.09, 0.4);
  } else if (sound === 'fall') {
    for (const [i, level] of [0.3, 0.16, 0.07].entries()) knock(context, at + i * 0.09, 900 + i * 260, 0.04, level);
  } else if (sound === 'line') chime(context, at, [659, 880]);
  else if (sound === 'turn') chime(context, at, [784, 988]);
  else if (sound === 'win') chime(context, at, [523, 659, 784, 1047]);
  else chime(context, at, [440, 415]);
}

function fade(audio: AudioContext, at: number, seconds: number, level: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(level, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  gain.connect(audio.destination);
  return gain;
}

function tone(audio: AudioContext, at: number, from: number, to: number, seconds: number, level: number): void {
  const source = audio.createOscillator();
  source.type = 'triangle';
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + seconds);
  source.connect(fade(audio, at, seconds, level));
  source.start(at);
  source.stop(at + seconds);
}

function knock(audio: AudioContext, at: number, pitch: number, seconds: number, level: number): void {
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = noise;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  source.connect(filter).connect(fade(audio, at, seconds, level));
  source.start(at);
}

function chime(audio: AudioContext, at: number, notes: number[]): void {
  for (const [i, note] of notes.entries()) tone(audio, at + i * 0.11, note, note, 0.4, 0.12);
}
