#!/bin/sh
# Compiles the tests and runs them with JUnit 5 of Debian (apt install junit5). In your project, Maven or Gradle does this.
set -eu
cd "$(dirname "$0")"
CLASSPATH=build
for jar in junit-jupiter-api junit-jupiter-engine junit-jupiter-params junit-platform-commons junit-platform-console \
  junit-platform-engine junit-platform-launcher junit-platform-reporting opentest4j opentest4j-reporting-events \
  opentest4j-reporting-schema apiguardian-api picocli; do
  CLASSPATH=$CLASSPATH:/usr/share/java/$jar.jar
done
export CLASSPATH
javac -Xlint:all,-path -d build $(find src -name '*.java')
exec java org.junit.platform.console.ConsoleLauncher --scan-classpath build --disable-banner --details tree \
  --details-theme ascii --disable-ansi-colors
