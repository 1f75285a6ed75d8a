/** A run of the sink lab over time, by count of updates: stepping, pausing, blowing up, giving the workers back. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { freshSettings } from '../../web/lab/sink-run.js';
import { SinkRunner } from '../../web/widgets/parts/sink-runner.js';

/** A runner whose every change is seen. */
function watched() {
  const failures = [];
  /** @type {() => void} */
  let onChange = () => {};
  const runner = new SinkRunner(() => onChange(), (error) => failures.push(error));
  return { runner, failures, watch: (f) => { onChange = f; } };
}

const steps = (runner) => runner.points.map((p) => p.step);

test('steps, goes on, replays, and the same seed gives the same numbers', async (t) => {
  const { runner, failures } = watched();
  t.after(() => runner.stop());
  await runner.go(freshSettings(), 1);
  assert.deepEqual(steps(runner), [0, 1]);
  assert.ok(runner.alive && !runner.over && !runner.busy);
  await runner.go(freshSettings(), 30);
  assert.deepEqual(steps(runner), [0, 1, 25, 30]);
  const [plain, gated] = runner.shown.models;
  assert.ok(plain.gates === null && gated.gates.length === 16 && gated.gate.other > 0.3 && gated.gate.other < 0.7);
  assert.ok(Math.abs(plain.rowSum.other - 1) < 1e-6, 'without a cure every row hands on everything');
  runner.show(10);
  assert.equal(runner.shown.step, 1);
  runner.show(99);
  assert.equal(runner.shown.step, 30);

  const again = watched();
  t.after(() => again.runner.stop());
  await again.runner.go({ ...freshSettings(), second: 'off' }, 30);
  const twins = again.runner.shown.models;
  assert.deepEqual(twins[0].map, twins[1].map, 'gate off on both sides: the same model twice');
  assert.deepEqual(twins[0], plain, 'and the same as beside a gated one');
  assert.deepEqual([...failures, ...again.failures], []);
});

test('pauses between measuring points and can go on; a run given up keeps its curves', async () => {
  const { runner, watch } = watched();
  watch(() => { if (runner.step === 25) runner.pause(); });
  await runner.go(freshSettings());
  assert.deepEqual([runner.step, runner.playing, runner.busy, runner.over], [25, false, false, false]);
  watch(() => { if (runner.step === 50) runner.stop(); });
  await runner.go(freshSettings());
  assert.deepEqual([runner.step, runner.alive, runner.over], [50, false, true]);
  runner.clear();
  assert.deepEqual([steps(runner), runner.over], [[], false]);
});

test('asked to go on while it is pausing, a run goes on', async (t) => {
  const { runner, watch } = watched();
  t.after(() => runner.stop());
  watch(() => {
    if (runner.step !== 25 || !runner.playing) return;
    runner.pause();
    runner.go(freshSettings(), 27);
  });
  await runner.go(freshSettings(), 50);
  assert.deepEqual(steps(runner), [0, 25, 27]);
});

test('a cure lets some of a row go', async (t) => {
  const { runner } = watched();
  t.after(() => runner.stop());
  await runner.go({ ...freshSettings(), second: 'plus_one' }, 1);
  const [plain, cured] = runner.shown.models;
  assert.ok(plain.rowSum.other > 0.999 && cured.rowSum.other < 0.99, String(cured.rowSum.other));
});

test('a run that blows up is told, keeps what came before and can be started anew', async (t) => {
  const { runner, failures } = watched();
  t.after(() => runner.stop());
  await runner.go({ ...freshSettings(), learningRate: 10 }, 30);
  assert.deepEqual([steps(runner), runner.alive, runner.over], [[0], false, true]);
  assert.deepEqual([runner.blown.step, runner.blown.rate], [1, 10]);
  assert.ok(runner.blown.loss > 35);
  runner.clear();
  await runner.go(freshSettings(), 2);
  assert.deepEqual([steps(runner), runner.blown], [[0, 2], null]);
  assert.deepEqual(failures, []);
});

test('absurd settings start nothing', async () => {
  const { runner, failures } = watched();
  await runner.go({ ...freshSettings(), batch: 0 }, 30);
  assert.deepEqual([runner.alive, steps(runner), failures], [false, [], []]);
});
