import { readFileSync } from 'node:fs'

/** The files with the notices of the built bundles. */
const files = ['dist/THIRD-PARTY-NOTICES.txt', 'dist/dashboard/THIRD-PARTY-NOTICES.txt']

/** The packages that the notices of the built bundles name, such as `hono@4.13.19`, with their licenses. */
export function noticedLicenses(): ReadonlyMap<string, string> {
  const heads = files.flatMap(file => [
    ...readFileSync(file, 'utf8').matchAll(/^[=-]{80}\n\n(\S+) (\S+) \((.+)\)$/gm),
  ])
  return new Map(heads.map(([, name, version, license = '']) => [`${name}@${version}`, license]))
}

export function noticedPackages(): readonly string[] {
  return [...noticedLicenses().keys()].sort()
}
