import { describe, expect, it } from 'vitest';
import { probesIn } from '../../src/logs/probe-log.ts';

describe('a log of probes', () => {
  const probes = [
    { time: 1_767_225_600, page: 'a', current: true, host: 'h', arm: 'plan' },
    { time: 1_767_229_200, page: 'b', current: false },
  ];

  it('is read from JSON lines, a JSON list and CSV alike', () => {
    const csv = 'time,page,current,host,arm\n2026-01-01T00:00:00Z,a,true,h,plan\n2026-01-01T01:00:00Z,b,0,,\n';
    expect(probesIn(probes.map((each) => JSON.stringify(each)).join('\n'))).toEqual(probes);
    expect(probesIn(JSON.stringify(probes))).toEqual(probes);
    expect(probesIn(csv)).toEqual(probes);
  });

  it('is told from a crawl log, and from rows that lack something', () => {
    expect(probesIn('{"page":"a","time":1767225600,"signature":"x"}')).toBeNull();
    expect(probesIn('time,page,status\n1767225600,a,200\n')).toBeNull();
    expect(probesIn('{"page":"a","time":1767225600,"current":"perhaps"}')).toBeNull();
    expect(probesIn('{"page":"a","time":1767225600,"current":1}\nno JSON')).toBeNull();
    expect(probesIn('')).toBeNull();
  });
});
