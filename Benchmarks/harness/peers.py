"""The components: our server, the scripted model behind it, and the peers that it is measured against."""

import json
import os
import secrets
import shutil
import subprocess

from .processes import Component, NotReady, free_port

CHAT = "/v1/chat/completions"


class Upstream(Component):
    """The scripted model."""

    def __init__(self, folder, tools):
        super().__init__("upstream", folder)
        self.launch([os.path.join(tools, "bench-upstream")])
        self.wait_for_address()

    def load_options(self):
        """What the load client needs to speak to it: this is the row called direct."""
        return ["--port", str(self.port), "--route", "chat", "--path", CHAT]


class Nginx(Component):
    """A proxy that does one read and one write for each event: the floor."""

    @staticmethod
    def is_installed():
        """Whether there is one on this machine."""
        return shutil.which("nginx") is not None

    @staticmethod
    def version():
        """Its version as it prints it."""
        words = subprocess.run(["nginx", "-v"], capture_output=True, text=True).stderr
        return words.strip().rsplit("/", 1)[-1]

    def __init__(self, folder, upstream):
        super().__init__("nginx", folder)
        self.port = free_port()
        os.makedirs(os.path.join(folder, "nginx"), exist_ok=True)
        configuration = os.path.join(folder, "nginx.conf")
        temporary = "".join(
            f"    {kind}_temp_path {folder}/nginx/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        with open(configuration, "w") as file:
            file.write(
                f"""{user}daemon off;
pid {folder}/nginx/pid;
error_log {folder}/nginx/error.log warn;
worker_processes auto;
worker_rlimit_nofile 20000;
events {{ worker_connections 16384; }}
http {{
    access_log off;
{temporary}    upstream model {{
        server 127.0.0.1:{upstream.port};
        keepalive 1024;
    }}
    server {{
        listen 127.0.0.1:{self.port} backlog=4096;
        keepalive_requests 1000000;
        location / {{
            proxy_pass http://model;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffering off;
            proxy_read_timeout 600s;
        }}
    }}
}}
""")
        self.launch(["nginx", "-c", configuration, "-p", folder])
        self.wait_for_reply("/v1/models")

    def load_options(self):
        """What the load client needs to speak to it."""
        return ["--port", str(self.port), "--route", "chat", "--path", CHAT]


def peers_folder():
    """Where the peers' own environments live, outside the repository."""
    return os.environ.get("REJOIN_BENCH_VENV") or os.path.expanduser("~/.cache/rejoinder-bench")


class LiteLLM(Component):
    """The gateway that most people would put there."""

    @staticmethod
    def program():
        """Its command."""
        return os.path.join(peers_folder(), "litellm", "bin", "litellm")

    @classmethod
    def is_installed(cls):
        """Whether it was installed into the peers' folder."""
        return os.path.exists(cls.program())

    @classmethod
    def install(cls):
        """Installs it: about 80 s and 750 MB."""
        home = os.path.join(peers_folder(), "litellm")
        subprocess.run(["python3", "-m", "venv", home], check=True)
        subprocess.run([os.path.join(home, "bin", "pip"), "install", "-q", "litellm[proxy]"], check=True)

    @classmethod
    def version(cls):
        """The installed version."""
        shown = subprocess.run(
            [os.path.join(peers_folder(), "litellm", "bin", "pip"), "show", "litellm"], capture_output=True, text=True)
        return next((line.split()[1] for line in shown.stdout.splitlines() if line.startswith("Version:")), "?")

    def __init__(self, folder, upstream, models):
        super().__init__("litellm", folder)
        self.port = free_port()
        self.key = "sk-" + secrets.token_hex(16)
        configuration = os.path.join(folder, "litellm.json")
        with open(configuration, "w") as file:
            json.dump(
                {
                    "model_list": [
                        {
                            "model_name": model,
                            "litellm_params": {
                                "model": f"openai/{model}",
                                "api_base": f"http://127.0.0.1:{upstream.port}/v1",
                                "api_key": "none",
                            },
                        }
                        for model in models
                    ],
                    "general_settings": {"master_key": self.key},
                    "litellm_settings": {
                        "num_retries": 0, "request_timeout": 600, "telemetry": False, "callbacks": []},
                }, file)
        self.launch(
            [self.program(), "--config", configuration, "--host", "127.0.0.1", "--port", str(self.port)],
            {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR"})
        self.wait_for_reply("/health/liveliness", seconds=240, pause=0.2)

    def load_options(self):
        """What the load client needs to speak to it."""
        return ["--port", str(self.port), "--route", "chat", "--path", CHAT, "--token", self.key]


class Rejoin(Component):
    """Our server, with its durable log on."""

    def __init__(self, folder, program, upstream, models, name="rejoin"):
        super().__init__(name, folder)
        self.program = program
        self.data = os.path.join(folder, f"{name}-data")
        self.configuration = os.path.join(folder, f"{name}.json5")
        self.port = free_port()
        with open(self.configuration, "w") as file:
            json.dump(
                {
                    "models": [
                        {
                            "name": model, "kind": "openai", "base_url": f"http://127.0.0.1:{upstream.port}/v1",
                            "model": model, "concurrent": 10000,
                        }
                        for model in models
                    ],
                    "default_model": models[0],
                    "titles": "off",
                    "limits": {
                        "running_answers": 20000, "queue_length": 20000, "queue_per_account": 20000,
                        "connections": 18000, "connections_per_address": 18000,
                        "first_piece_timeout_seconds": 3600, "silence_timeout_seconds": 3600,
                    },
                }, file)
        added = subprocess.run(
            [program, "account", "add", "bench", "--data", self.data], capture_output=True, text=True, timeout=60)
        if added.returncode != 0:
            raise NotReady(f"rejoin account add failed: {added.stderr[-500:]}")
        self.token = added.stdout.strip().splitlines()[-1]

    def headers(self):
        """What every request to it carries."""
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def begin(self):
        """Starts the process on the port of this component, without waiting."""
        self.launch([
            self.program, "serve", "--data", self.data, "--listen", f"127.0.0.1:{self.port}", "--config",
            self.configuration])

    def start(self, pause=0.01):
        """Starts it and waits until it takes work."""
        self.begin()
        self.wait_for_reply("/v1/conversations?limit=1", headers=self.headers(), pause=pause)
        return self

    def load_options(self, route="native"):
        """What the load client needs for our own route, or for the compatible one."""
        options = ["--port", str(self.port), "--token", self.token]
        if route == "native":
            return options + ["--route", "native"]
        return options + ["--route", "chat", "--path", "/openai/v1/chat/completions"]
