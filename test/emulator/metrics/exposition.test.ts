import { expect, it } from 'vitest'
import { expositionType, type Family, writeExposition } from '../../../src/emulator/metrics/exposition.ts'

it.each<[what: string, families: readonly Partial<Family>[], text: string]>([
  ['nothing', [], ''],
  [
    'two families',
    [
      { name: 'a', help: 'Counts a.', samples: [{ value: 1 }] },
      { name: 'b', help: 'Counts b.', type: 'gauge', samples: [] },
    ],
    '# HELP a Counts a.\n# TYPE a counter\na 1\n# HELP b Counts b.\n# TYPE b gauge\n',
  ],
  [
    'labels and suffixes',
    [
      {
        samples: [
          { suffix: '_bucket', labels: { le: '0.1', of: 'a' }, value: 2 },
          { labels: {}, value: 0.5 },
        ],
      },
    ],
    '# HELP n h\n# TYPE n counter\nn_bucket{le="0.1",of="a"} 2\nn 0.5\n',
  ],
  [
    'what must be escaped',
    [{ help: 'a\\b\n"c"', samples: [{ labels: { l: 'a\\b\n"c"' }, value: 1 }] }],
    '# HELP n a\\\\b\\n"c"\n# TYPE n counter\nn{l="a\\\\b\\n\\"c\\""} 1\n',
  ],
])('writes %s', (_, families, text) => {
  const family = { name: 'n', help: 'h', type: 'counter', samples: [] } as const
  expect(writeExposition(families.map(some => ({ ...family, ...some })))).toBe(text)
})

it('has the type that Prometheus reads', () => {
  expect(expositionType).toBe('text/plain; version=0.0.4; charset=utf-8')
})
