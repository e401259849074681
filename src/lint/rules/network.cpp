// network: no talk to other machines.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"socket", Severity::reject, "uses the network"},
    NamePattern{"socketserver", Severity::reject, "uses the network"},
    NamePattern{"ssl", Severity::reject, "uses the network"},
    NamePattern{"urllib", Severity::reject, "uses the network"},
    NamePattern{"urllib3", Severity::reject, "uses the network"},
    NamePattern{"http", Severity::reject, "uses the network"},
    NamePattern{"requests", Severity::reject, "uses the network"},
    NamePattern{"httpx", Severity::reject, "uses the network"},
    NamePattern{"aiohttp", Severity::reject, "uses the network"},
    NamePattern{"ftplib", Severity::reject, "uses the network"},
    NamePattern{"smtplib", Severity::reject, "uses the network"},
    NamePattern{"poplib", Severity::reject, "uses the network"},
    NamePattern{"imaplib", Severity::reject, "uses the network"},
    NamePattern{"telnetlib", Severity::reject, "uses the network"},
    NamePattern{"xmlrpc", Severity::reject, "uses the network"},
    NamePattern{"asyncio.open_connection", Severity::reject, "uses the network"},
    NamePattern{"asyncio.start_server", Severity::reject, "uses the network"},
    NamePattern{"websocket", Severity::reject, "uses the network"},
    NamePattern{"websockets", Severity::reject, "uses the network"},
    NamePattern{"paramiko", Severity::reject, "uses the network"},
    NamePattern{"zmq", Severity::reject, "uses the network"},
    NamePattern{"grpc", Severity::reject, "uses the network"},
    NamePattern{"huggingface_hub", Severity::reject, "uses the network"},
    NamePattern{"wget", Severity::reject, "uses the network"},
    NamePattern{"pip", Severity::reject, "uses the network"},
    NamePattern{"ensurepip", Severity::reject, "uses the network"},
    NamePattern{"torch.hub", Severity::reject, "uses the network"},
    NamePattern{"urllib.parse", std::nullopt, ""},
    NamePattern{"http.HTTPStatus", std::nullopt, ""},
    NamePattern{"torch.distributed.init_process_group", Severity::reject, "opens connections to other processes"},
    NamePattern{"torch.distributed.rpc", Severity::reject, "opens connections to other processes"},
    NamePattern{"torch.distributed.TCPStore", Severity::reject, "uses the network"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule network = {
    "network",
    Severity::reject,
    "sockets, HTTP and other clients, package downloads from code, distributed process groups",
    "a candidate needs no network; it could fetch answers or send out what it sees",
    "`requests` as a variable of one's own, a URL in a docstring, `torch.distributed.is_initialized()`",
    check};

}  // namespace kbx::lint::rules
