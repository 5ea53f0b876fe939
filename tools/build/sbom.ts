/*
 * Writes the bill of materials of the package, pet-mock-VERSION.cdx.json (CycloneDX): what npm knows of the packages that
 * the notices of the built bundles name. Run by `npm run sbom`.
 */
import { execSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { noticedLicenses } from './third-party-notices.ts'

interface Bill {
  readonly metadata: { readonly component: Readonly<Record<string, unknown>> }
  readonly components: readonly (Readonly<Record<string, unknown>> & { readonly 'bom-ref': string })[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'))
// A shell finds npm on every system. The lock file also has what this system does not install.
const printed = execSync('npm sbom --sbom-format cyclonedx --package-lock-only', {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
  maxBuffer: 2 ** 26,
})
const all: Bill = JSON.parse(printed)
const own = `${name}@${version}`
const bundled = noticedLicenses()
const missing = [...bundled.keys()].filter(
  ref => !all.components.some(component => component['bom-ref'] === ref),
)
if (missing.length > 0) throw new Error(`package-lock.json lacks ${missing.join(', ')}: run npm run build`)
const bill = {
  ...all,
  metadata: { ...all.metadata, component: { ...all.metadata.component, name } },
  components: all.components
    .filter(component => bundled.has(component['bom-ref']))
    // To npm they are tools of the project. In the package they are code.
    .map(component => ({
      // npm does not read the list of licenses that old packages have.
      licenses: [{ license: { id: bundled.get(component['bom-ref']) } }],
      ...component,
      scope: 'required',
      properties: [],
    })),
  dependencies: all.dependencies
    .filter(({ ref }) => ref === own || bundled.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => bundled.has(other)) })),
}
const file = `${name}-${version}.cdx.json`
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
process.stdout.write(`${file}: ${bill.components.length} packages\n`)
