// Why a request was not served, in the form in which clients of chat completions expect it.

export class Refusal extends Error {
  constructor(message, param = null, code = null, status = 400) {
    super(message);
    this.param = param;
    this.code = code;
    this.status = status;
  }

  get body() {
    const type = this.status < 500 ? "invalid_request_error" : "server_error";
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}
