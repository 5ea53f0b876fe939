import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  forbidOnly: process.env.CI !== undefined,
  reporter: 'list',
  webServer: {
    // `npm test` runs this in `pet-mock exec`, which sets VITE_API_URL.
    command: 'npm run build && npm run preview -- --port 0',
    env: { NO_COLOR: '1' },
    // Any free port: the address that it prints is put into the environment, by the name of the group.
    wait: { stdout: /Local: +(?<app_url>http:\S+)/ },
  },
})
