/* Exits with 0 if the process of this container answers: an API process on PORT, a worker on METRICS_PORT. */
const ports = [process.env.PORT, process.env.METRICS_PORT].filter(Boolean);

async function check(port) {
  const { ok, status } = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(2000),
  });
  if (!ok) throw new Error(`port ${port} answers ${status}`);
}

try {
  await Promise.any(ports.map(check));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
