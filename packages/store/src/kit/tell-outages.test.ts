import { tellOutages } from './tell-outages';

function told() {
  const lines: string[] = [];
  const write = ({ err, at }: { err?: Error; at?: string }, message: string): void =>
    void lines.push(`${message} | ${err?.message ?? at}`);
  return { lines, outages: tellOutages({ warn: write, info: write }) };
}

it('says when Redis answers again and which one, once for each outage', () => {
  const { lines, outages } = told();
  outages.onReady('127.0.0.1:1');
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  outages.onError(refused);
  outages.onError(refused);
  outages.onReady('127.0.0.1:2');
  outages.onReady('127.0.0.1:2');
  expect(lines.slice(2)).toEqual(['Redis answers again | 127.0.0.1:2']);
});

it('says nothing of an end after what is no outage', () => {
  const { lines, outages } = told();
  outages.onError(new Error('could not renew lock for job a'));
  outages.onReady('127.0.0.1:1');
  expect(lines).toEqual(['redis | could not renew lock for job a']);
});
