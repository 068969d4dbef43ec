import type { Command } from 'commander';
import { RequestError } from '../errors';
import type { Io } from '../io';
import { clockCheck, doctorSchema, doctorText, reachabilityProblem, type Report } from '../output/doctor';
import { addLeaf, expected, openSession, type CommonOptions } from './command';

export function addDoctorCommand(program: Command, io: Io): void {
  addLeaf(program, {
    name: 'doctor',
    summary: 'look the whole fleet over and say what is wrong and what to do; exits 1 when there is a problem',
    examples: ['doctor', 'doctor --json'],
  }).action(async (options: CommonOptions) => {
    const report = await examine(io, options);
    io.writeOut(options.json ? `${JSON.stringify(report)}\n` : doctorText(report));
    const problems = report.checks.filter(({ status }) => status === 'problem').length;
    if (problems > 0) throw new RequestError(problems === 1 ? 'there is a problem' : `there are ${problems} problems`);
  });
}

/** What the console finds, and what only this side can see: whether it is reached, and how its clock goes. */
async function examine(io: Io, options: CommonOptions): Promise<Report> {
  const { api } = openSession(io, options);
  try {
    const askedAt = Date.now();
    const answer = expected(doctorSchema, await api.request('GET', ['doctor']));
    const heard = { console: Date.parse(answer.at), between: [askedAt, Date.now()] as const };
    const checks = [clockCheck(heard), ...answer.checks];
    return { ok: checks.every(({ status }) => status !== 'problem'), at: answer.at, checks };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { ok: false, at: new Date().toISOString(), checks: [reachabilityProblem(error)] };
  }
}
