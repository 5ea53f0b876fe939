import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputBundle, Plugin } from 'rolldown'

/**
 * Puts the licenses of all that is bundled beside the last bundle; earlier ones only collect. Rolldown says which modules those
 * are, so a library that was shaken off is not named and a new one cannot be forgotten: one without a license stops the build.
 *
 * `copied` are packages whose data reaches the bundle by another way than an import.
 */
export function thirdPartyNotices(
  fileName: string,
  copied: readonly string[],
): { readonly collect: Plugin; readonly write: Plugin } {
  const folders = new Set(copied.flatMap(name => packageOf(join('node_modules', name))))
  const add = (bundle: OutputBundle) => {
    for (const folder of foldersIn(bundle)) folders.add(folder)
  }
  const name = 'third-party-notices'
  return {
    collect: { name, generateBundle: (_options, bundle) => add(bundle) },
    write: {
      name,
      generateBundle(_options, bundle) {
        add(bundle)
        const notices = [...folders].map(notice).sort()
        const source = `${heading}\n${[...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`)}`
        this.emitFile({ type: 'asset', fileName, source })
      },
    },
  }
}

/** Stops a build that bundles a package whose license is not in the notices of an earlier build. */
export function noticedBefore(file: string): Plugin {
  return {
    name: 'noticed-before',
    generateBundle(_options, bundle) {
      const noticed = readFileSync(file, 'utf8')
      const missing = [...foldersIn(bundle)].filter(folder => !noticed.includes(notice(folder)))
      if (missing.length > 0) throw new Error(`${file} lacks the license of ${missing.join(', ')}`)
    },
  }
}

/** The folders of the packages whose code is in a bundle. */
function foldersIn(bundle: OutputBundle): ReadonlySet<string> {
  const modules = Object.values(bundle).flatMap(output =>
    output.type === 'chunk' ? Object.entries(output.modules) : [],
  )
  return new Set(
    modules.filter(([, { renderedLength }]) => renderedLength > 0).flatMap(([path]) => packageOf(path)),
  )
}

const heading = `pet-mock contains the following software, each under its own license.

${'='.repeat(80)}
`

/** The folder of the package that a module is from; none for our own. */
function packageOf(path: string): readonly string[] {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll('\\', '/')) ?? []
}

function notice(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version } = manifest
  // Old manifests have a list.
  const license = manifest.license ?? manifest.licenses?.map(({ type }: Licensed) => type).join(' or ')
  const files = readdirSync(folder)
  const licenses = files.filter(file => /^(?:licen[cs]e|copying|notice)\b/i.test(file)).sort()
  const texts = licenses.map(file => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0) {
    const readmes = files.filter(file => /^readme\b/i.test(file))
    texts.push(...readmes.flatMap(file => licenseWithin(readFileSync(join(folder, file), 'utf8'))))
  }
  if (texts.length === 0 && license === 'MIT') texts.push(mitOf(manifest))
  if (texts.length === 0) throw new Error(`${name} is bundled, and ${folder} holds no license`)
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}

/** Some have their license, with its copyright line, at the end of their README. */
function licenseWithin(readme: string): readonly string[] {
  return (
    /^.*Copyright[^\n]*\n+[^\n]*Permission is hereby granted[\s\S]*?DEALINGS\s+IN\s+THE\s+SOFTWARE\./im.exec(
      readme,
    ) ?? []
  )
}

/** Some only say in their manifest that it is MIT, and by whom: this is its text (https://spdx.org/licenses/MIT). */
function mitOf({ name, author, repository }: Manifest): string {
  const by = typeof author === 'object' ? author.name : author
  const from = typeof repository === 'object' ? repository.url : repository
  return `Copyright (c) ${by ?? `the authors of ${name}, ${from}`}

${mit}`
}

interface Licensed {
  readonly type: string
}

interface Manifest {
  readonly name: string
  readonly author?: string | { readonly name: string }
  readonly repository?: string | { readonly url: string }
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

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
