import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const { jobs } = parse(readFileSync('.github/workflows/ci.yml', 'utf8'))
const [oldest, newest]: readonly string[][] = jobs.peers.strategy.matrix.include.map(
  ({ peers }: { readonly peers: string }) => peers.split(' '),
)

it.each(Object.entries<string>(peerDependencies))(
  '%s: what its range %s begins and ends with is what CI tries',
  (name, range) => {
    const bounds = [...range.matchAll(/\^(\d+)\.\d+\.\d+/g)]
    expect(oldest).toContain(`${name}@${bounds[0]?.[0].slice(1)}`)
    expect(newest).toContain(`${name}@${bounds.at(-1)?.[1]}`)
  },
)
