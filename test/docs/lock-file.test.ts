import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Locked {
  readonly version?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Packages = Readonly<Record<string, Locked>>

/** The package that `name` means in the folder `from`, as Node looks for it. */
function find(packages: Packages, from: string, name: string): Locked | undefined {
  const found = packages[`${from === '' ? '' : `${from}/`}node_modules/${name}`]
  if (found !== undefined || from === '') return found
  return find(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name)
}

/** Parts for some system or processor that the lock file leaves out: there, `npm ci` would not install them. */
function missingParts(packages: Packages): readonly string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, wanted]) => {
        const found = find(packages, path, name)
        return found === undefined || (/^\d/.test(wanted) && found.version !== wanted)
      })
      .map(([name, wanted]) => `${path}: ${name} ${wanted}`),
  )
}

// npm leaves out what its registry does not have: where this fails, npm ran with a registry that has only some.
test('package-lock.json has the parts for every system', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(missingParts(packages)).toEqual([])
})

test('a missing part, and one of another version, are found', () => {
  const biome = { optionalDependencies: { 'cli-win32': '2.0.0', 'cli-linux': '2.0.0' } }
  const packages = { 'node_modules/biome': biome, 'node_modules/cli-linux': { version: '1.9.0' } }
  expect(missingParts(packages)).toEqual([
    'node_modules/biome: cli-win32 2.0.0',
    'node_modules/biome: cli-linux 2.0.0',
  ])
  const own = { ...packages, 'node_modules/biome/node_modules/cli-linux': { version: '2.0.0' } }
  expect(missingParts(own)).toEqual(['node_modules/biome: cli-win32 2.0.0'])
})
