// Passes requests on to a server on this machine with a token, and under the server's own name, for clients that cannot send
// one.
// Usage: with_token.js PORT TARGET_PORT TOKEN
const http = require("http");

const [port, target, token] = process.argv.slice(2);
const passOn = (request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  for (const name of ["host", "origin"]) {
    if (headers[name]) headers[name] = headers[name].replace(`:${port}`, `:${target}`);
  }
  const { method, url: path } = request;
  const onward = http.request({ host: "127.0.0.1", port: target, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
};
http.createServer(passOn).listen(port, "127.0.0.1", () => console.log("listening"));
