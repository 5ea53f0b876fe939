import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import { noticedBefore, noticedPackages, thirdPartyNotices } from '../../tools/build/third-party-notices.ts'
import { directoryWith } from '../support/directory.ts'

const tsx = fileURLToPath(import.meta.resolve('tsx/cli'))
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

interface Component {
  readonly 'bom-ref': string
  readonly purl: string
  readonly scope: string
  readonly hashes: readonly unknown[]
  readonly licenses?: readonly unknown[]
}

test('npm run sbom lists exactly the packages that are bundled', () => {
  const file = `pet-mock-${manifest.version}.cdx.json`
  const wasThere = existsSync(file)
  onTestFinished(() => {
    if (!wasThere) rmSync(file, { force: true })
  })
  execFileSync(process.execPath, [tsx, 'tools/build/sbom.ts'], { stdio: 'ignore' })
  const bill = JSON.parse(readFileSync(file, 'utf8'))
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { name: 'pet-mock', version: manifest.version } },
  })
  const components: readonly Component[] = bill.components
  expect(components.map(component => component['bom-ref']).toSorted()).toEqual(noticedPackages())
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([])
  for (const { purl, scope, hashes } of components)
    expect([purl, scope, hashes.length]).toEqual([expect.stringMatching(/^pkg:npm\//), 'required', 1])
  const refs = new Set([`pet-mock@${manifest.version}`, ...components.map(one => one['bom-ref'])])
  for (const { ref, dependsOn } of bill.dependencies)
    expect([ref, ...dependsOn].filter((one: string) => !refs.has(one))).toEqual([])
})

test('docs/decisions/dependencies.md has a row for each package that the project chose to bundle', () => {
  const page = readFileSync('docs/decisions/dependencies.md', 'utf8')
  const [table = ''] = /## Bundled\n[\s\S]*?(?=\n## )/.exec(page) ?? []
  const rows = [...table.matchAll(/^\| ([^|]+)\|/gm)].flatMap(
    ([, cell = '']) => cell.match(/[^`\s,]+(?=`)/g) ?? [],
  )
  const bundled = noticedPackages().map(name => name.replace(/@[^@]+$/, ''))
  // Prism and the tools of agents bring these, which tests use too.
  const brought = ['ajv', 'ajv-formats', 'zod']
  const chosen = bundled.filter(name => name in manifest.devDependencies && !brought.includes(name))
  expect(rows.toSorted()).toEqual([...new Set(chosen)].toSorted())
})

/** A bundle of a program that imports a package. */
async function bundle(files: Readonly<Record<string, string>>, plugin: ReturnType<typeof noticedBefore>) {
  const folder = directoryWith({
    'main.js': "import { x } from 'some-package'\nconsole.log(x)\n",
    'node_modules/some-package/index.js': 'export const x = Math.random()\n',
    ...Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`node_modules/some-package/${name}`, text]),
    ),
  })
  const built = await rolldown({ input: join(folder, 'main.js'), cwd: folder, plugins: [plugin] })
  const { output } = await built.generate()
  return output.flatMap(file => (file.type === 'asset' ? `${file.source}` : [])).join('')
}

const named = (fields: object) =>
  JSON.stringify({ name: 'some-package', version: '1.0.0', type: 'module', ...fields })

test('a bundled package without a license stops the build', async () => {
  const plugin = () => thirdPartyNotices('NOTICES.txt', []).write
  const text = 'All rights are granted.'
  const licensed = { 'package.json': named({ license: 'ISC' }), LICENSE: text }
  expect(await bundle(licensed, plugin())).toContain(`some-package 1.0.0 (ISC)\n\n${text}\n`)
  const old = { 'package.json': named({ licenses: [{ type: 'MIT' }] }), LICENSE: text }
  expect(await bundle(old, plugin())).toContain('some-package 1.0.0 (MIT)\n')
  await expect(bundle({ 'package.json': named({ license: 'ISC' }) }, plugin())).rejects.toThrow(
    /some-package is bundled, and .* holds no license/,
  )
})

test('a package that only a later bundle has stops the build', async () => {
  const licensed = { 'package.json': named({ license: 'ISC' }), LICENSE: 'All rights are granted.' }
  const noticed = await bundle(licensed, thirdPartyNotices('NOTICES.txt', []).write)
  const folder = directoryWith({ 'all.txt': noticed, 'none.txt': '' })
  await bundle(licensed, noticedBefore(join(folder, 'all.txt')))
  await expect(bundle(licensed, noticedBefore(join(folder, 'none.txt')))).rejects.toThrow(
    /none\.txt lacks the license of .*some-package/,
  )
})
